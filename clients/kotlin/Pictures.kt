package hearth.client

/** Pictures in several sizes. */
object Pictures {
    /**
     * The address to load of a content's picture: of the narrowest of `url` and its `sources` that has a pixel for each
     * that is drawn, else of the widest.
     * @param picture `item.content["image"]`
     * @param width how wide the picture is drawn, in dp
     * @param scale the screen's pixels for a dp
     * @return `null` of what is no picture
     */
    fun url(picture: Any?, width: Double, scale: Double): String? {
        val own = Json.members(picture)
        val all = (Json.elements(own["sources"]).map { Json.members(it) } + own)
            .filter { it["width"] is Number && it["url"] is String }
            .sortedBy { (it["width"] as Number).toDouble() }
        val chosen = all.firstOrNull { (it["width"] as Number).toDouble() >= width * scale - 1e-6 } ?: all.lastOrNull()
        return (chosen ?: own)["url"] as? String
    }
}
