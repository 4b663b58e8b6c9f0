// The room's first file comes with its first commit.
