package hearth.client

/** A group's first cells, and how wide and high they are together. */
internal class Areas(val cells: List<Area>, val width: Double, val height: Double)

/**
 * A repeating pattern of cells of different sizes (docs/layout.md).
 * @param spacing between columns
 * @param gap between rows
 * @param down to whole pixels
 */
internal class Groups(
    group: Map<String, Any?>, private val spacing: Double, private val gap: Double, private val down: (Double) -> Double
) {
    private val cells = Json.elements(group["cells"]).map { Json.members(it) }
    private val columns = Json.elements(group["columns"])
    private val rows = Json.elements(group["rows"])

    /** How many items a group takes. */
    val count = cells.size

    /**
     * The cells of a group with so many items. One with fewer items than cells ends where they end.
     * @param width the width of a whole group
     * @param height its height
     */
    fun areasOf(items: Int, width: Double, height: Double): Areas {
        val wide = lengths(columns, width, spacing)
        val high = lengths(rows, height, gap)
        val areas = cells.take(items).map { cell ->
            val column = place(cell, "column", 0)
            val row = place(cell, "row", 0)
            Area(
                sum(wide.take(column), spacing), sum(high.take(row), gap),
                sum(wide.drop(column).take(place(cell, "columnSpan", 1)), spacing) - spacing,
                sum(high.drop(row).take(place(cell, "rowSpan", 1)), gap) - gap)
        }
        if (items == count) return Areas(areas, width, height)
        val end = areas.fold(0.0) { most, each -> maxOf(most, each.x + each.width) }
        val foot = areas.fold(0.0) { most, each -> maxOf(most, each.y + each.height) }
        return Areas(areas, end, foot)
    }

    private fun place(cell: Map<String, Any?>, name: String, otherwise: Int) =
        (cell[name] as? Number)?.toInt() ?: otherwise

    private fun sum(lengths: List<Double>, between: Double) =
        lengths.fold(0.0) { whole, each -> whole + each + between }

    /** Points first, and of what they leave a share each. */
    private fun lengths(tracks: List<Any?>, room: Double, between: Double): List<Double> {
        val points = tracks.map { (Json.members(it)["points"] as? Number)?.toDouble() }
        val shares = tracks.map { (it as? Number)?.toDouble() ?: 0.0 }
        val rest = maxOf(0.0, room - (sum(points.map { it ?: 0.0 }, between) - between))
        val whole = shares.sum()
        return tracks.indices.map { points[it] ?: down(rest * shares[it] / whole) }
    }
}
