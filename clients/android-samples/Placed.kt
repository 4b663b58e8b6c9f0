// What PageAdapter shows of a page: views at places, by Frames. Copy it into an app.

package hearth.samples

import hearth.client.Area
import hearth.client.Cell
import hearth.client.Frames
import hearth.client.Item
import hearth.client.Json
import hearth.client.Part
import hearth.client.Section
import hearth.client.Stay

/**
 * How something stays at the top of its list, in pixels.
 * @property below how far below the top it does
 * @property until its lowest place
 * @property layer what it is above: views that scroll along are 0
 */
class Staying(val below: Int, val until: Int, val layer: Int)

/**
 * A view's place, in pixels of its list from the leading edge, and what it shows: items, a row that scrolls, or what is drawn
 * behind the views after it.
 * @property staying `null` for what scrolls along
 */
class Placed(
    val id: String, val items: List<Item>, val x: Int, val y: Int, val width: Int, val height: Int,
    val row: List<Placed> = emptyList(), val extent: Int = 0, val stops: List<Int> = emptyList(),
    val isRightToLeft: Boolean = false, var staying: Staying? = null, val backdrop: Map<String, Any?>? = null
) {
    /** Views of one kind are used again for one another; a row's and a background's are no item's. */
    val kind: String
        get() = when {
            backdrop != null -> "/backdrop"
            row.isNotEmpty() -> "/row"
            else -> items.singleOrNull()?.kind ?: ""
        }
    val look: Any
        get() = listOf(
            kind, items, width, height, extent, stops, isRightToLeft, backdrop, row.map { Triple(it.id, it.x, it.y) })

    /** Where it is once its list is scrolled so far. */
    fun top(offset: Int): Int = staying?.let { minOf(maxOf(y, offset + it.below), it.until) } ?: y
}

/** The views of a section, those behind others first. */
class Placing(private val scale: Double, private val isRightToLeft: Boolean, private val measureWidth: (Item) -> Double) {
    fun pixels(points: Double) = Math.round(points * scale).toInt()

    /**
     * @param list the id of the list that shows of those that share the section
     * @param stay how the section is part of what stays at the top
     */
    fun placed(
        section: Section, list: String?, frames: Frames, stay: Stay, x: Double, y: Double, width: Double
    ): List<Placed> {
        val all = placed(section, list, frames, stay.above, x, y, width)
        // A section stays with all that it has, above headers that do.
        stay.sticky?.let { sticky ->
            for (each in all) {
                val below = each.y - pixels(sticky.y)
                each.staying = Staying(below, pixels(sticky.until) + below, 2)
            }
        }
        return all
    }

    private fun placed(
        section: Section, list: String?, frames: Frames, above: Double, x: Double, y: Double, width: Double
    ): List<Placed> {
        fun placed(id: String, items: List<Item>, cell: Cell, x: Double, y: Double, staying: Staying? = null) = Placed(
            "${section.id}/$id", items, pixels(x + cell.x), pixels(y + cell.y), pixels(cell.width), pixels(cell.height),
            staying = staying)
        fun placed(cell: Cell, x: Double, y: Double): Placed {
            val staying = frames.stickyOf(cell)?.let { Staying(pixels(above), pixels(y + it.until), 1) }
            if (cell.part == Part.TABS) return tabs(section, list, cell, x, y, staying)
            val all = section.slots.values + if (cell.part == Part.LIST) section.items else emptyList()
            return placed("${cell.part}/${cell.item?.id}", cell.item?.let { listOf(it) } ?: all, cell, x, y, staying)
        }
        fun backdrop(id: String, area: Area, look: Map<String, Any?>, x: Double, y: Double) = Placed(
            "${section.id}/$id", emptyList(), pixels(x + area.x), pixels(y + area.y), pixels(area.width),
            maxOf(1, pixels(area.height)), isRightToLeft = isRightToLeft, backdrop = look)
        val look = Json.members(section.layout["separator"])
        fun lines(cells: List<Cell>, x: Double, y: Double) =
            cells.mapNotNull { cell -> cell.separator?.let { backdrop("line/${cell.item?.id}", it, look, x, y) } }
        val behind = frames.background?.let {
            backdrop("backdrop", it, Json.members(section.layout["background"]), x, y)
        }
        val first = listOfNotNull(behind)
        val scrolling = frames.scrolling
            ?: return first + frames.cells.map { placed(it, x, y) } + lines(frames.cells, x, y)
        val (within, beside) = frames.cells.partition { it.part == Part.ITEM || it.part == Part.LIST }
        val top = within.map { it.y }.fold(Double.MAX_VALUE) { least, each -> minOf(least, each) }
        val bottom = within.map { it.y + it.height }.fold(0.0) { most, each -> maxOf(most, each) }
        val list = within.find { it.part == Part.LIST }
        val row = if (list == null) within.map { placed(it, 0.0, -top) } + lines(within, 0.0, -top) else frames.leaves.map { leaf ->
            val cell = Cell(Part.LIST, null, leaf.x - list.x, 0.0, leaf.width, list.height)
            placed(leaf.items[0].id, leaf.items, cell, 0.0, 0.0)
        }
        val shelf = Placed(
            "${section.id}/row", emptyList(), pixels(x + (list?.x ?: 0.0)), pixels(y + top), pixels(list?.width ?: width),
            pixels(bottom - top), row, pixels(scrolling.extent), scrolling.stops.map { pixels(it) }, isRightToLeft)
        val (above, below) = beside.partition { it.y < top }
        return first + above.map { placed(it, x, y) } + shelf + below.map { placed(it, x, y) }
    }

    /** Tabs, in a row that scrolls if they are many. */
    private fun tabs(section: Section, list: String?, cell: Cell, x: Double, y: Double, staying: Staying?): Placed {
        var start = 0
        val row = section.tabs(list).map { tab ->
            val width = pixels(measureWidth(tab))
            Placed("${section.id}/${tab.id}", listOf(tab), start, 0, width, pixels(cell.height)).also { start += width }
        }
        return Placed(
            "${section.id}/tabs", emptyList(), pixels(x + cell.x), pixels(y + cell.y), pixels(cell.width),
            pixels(cell.height), row, maxOf(start, pixels(cell.width)), isRightToLeft = isRightToLeft,
            staying = staying)
    }
}
