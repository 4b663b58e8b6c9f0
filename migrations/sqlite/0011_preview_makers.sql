-- The selector of the token that made a link, which ends with it; null of links that were made before.
ALTER TABLE previews ADD COLUMN token TEXT;
