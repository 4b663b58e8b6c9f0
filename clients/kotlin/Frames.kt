package hearth.client

/** A width and a height in points (dp on Android). */
class Size(val width: Double, val height: Double)

/** What a cell is of its section. */
enum class Part {
    HEADER,
    /** What chooses one of the lists that share the section. */
    TABS, ITEM,
    /** The one cell of a carousel or a ticker. */
    LIST,
    /** The one cell that slots share. */
    SLOTS,
    /** A slot with a size of its own. */
    SLOT, FOOTER
}

/**
 * One cell, in points from the section's top and leading edge.
 * @property item what it shows; `null` where it shows several
 */
class Cell(val part: Part, val item: Item?, val x: Double, var y: Double, val width: Double, val height: Double) {
    /** The line below the row that it is the first cell of; `null` without one. */
    var separator: Area? = null
        internal set
}

/**
 * One leaf of a carousel, as high as its cell, from the section's leading edge before anything is scrolled.
 * @property items what it shows: one item, or as many as its rows take
 */
class Leaf(val items: List<Item>, val x: Double, val width: Double)

/**
 * How a shelf or a carousel scrolls sideways, in points from the leading edge of what shows.
 * @property extent the width of all that scrolls
 * @property stops how far it is scrolled where it comes to rest, ascending from 0; empty where it rests anywhere
 */
class Scrolling(val extent: Double, val stops: List<Double>)

/** A rectangle, in points from the section's top and leading edge. */
class Area(val x: Double, val y: Double, val width: Double, val height: Double)

/**
 * What stays at the top: the header of a section, or its tabs where there are some, in points from the section's top; or a
 * section, in points from the page's. It stands at [y], or as far down as that is scrolled, but never below [until].
 */
class Sticky(val y: Double, val until: Double)

/**
 * How a section is part of what stays at the top of its page.
 * @property sticky how the section stays; `null` where it scrolls along
 * @property above how high the section is that stays above it: a header that stays does so below that one
 */
class Stay(val sticky: Sticky?, val above: Double)

/**
 * Where the cells of a section are, for a width: docs/layout.md as arithmetic, in points (dp on Android).
 * @property height of the section, insets included
 * @property cells from top to bottom; those of a shelf in the order of its items, before anything is scrolled
 * @property leaves those of a carousel
 * @property scrolling `null` for what does not scroll sideways
 * @property background where the background is drawn; `null` without one, and where it has no height
 * @property sticky how header or tabs stay; `null` where they scroll along
 */
class Frames private constructor(
    val height: Double, val cells: List<Cell>, val leaves: List<Leaf>, val scrolling: Scrolling?,
    val background: Area?, val sticky: Sticky?
) {
    /** How a cell stays at the top; `null` for one that scrolls along. */
    fun stickyOf(cell: Cell): Sticky? =
        sticky?.takeIf { cell === cells.lastOrNull { it.part == Part.HEADER || it.part == Part.TABS } }

    companion object {
        /** How far what begins at [x] is from the left edge of a container of a width. */
        fun left(x: Double, width: Double, container: Double, isRightToLeft: Boolean): Double =
            if (isRightToLeft) container - x - width else x

        /**
         * Where the cells of a section are.
         * @param container the container's width: the app's less the page's inset
         * @param screen what the app has of the screen; without it, fractions of a screen's width are of the
         *   container's, and those of its height as high as the content
         * @param scale the screen's pixels for a point: what is computed is rounded down to whole pixels, what is
         *   measured up; without it nothing is
         * @param measureWidth the width that an item's content needs, where the width follows the content
         * @param measure the height that an item's content needs in a width
         */
        fun of(
            section: Section, container: Double, screen: Size? = null, scale: Double? = null,
            measureWidth: (Item) -> Double = { Double.POSITIVE_INFINITY }, measure: (Item, Double) -> Double
        ): Frames = of(section, container, screen, scale, measureWidth, { item, width, _ -> measure(item, width) }, measure)

        /**
         * The same, where heights are of lines.
         * @param measureLines the height that an item's content needs in a width where its text has so many lines,
         *   whatever it says
         */
        fun of(
            section: Section, container: Double, screen: Size?, scale: Double?, measureWidth: (Item) -> Double,
            measureLines: (Item, Double, Int) -> Double, measure: (Item, Double) -> Double
        ): Frames = Arranging(section, container, screen, scale, measureWidth, measureLines, measure).run {
            val height = arrange()
            Frames(height, cells, leaves, scrolling, background(height), sticky(height))
        }

        /**
         * How all sections of a page stay at its top: those of which their layout says so, if they take no more than half
         * of the screen.
         * @param sections in their order, with their heights
         * @param top where the first one begins, from the page's top
         * @param screen what the app has of it; without it, sections of any height stay
         */
        fun stays(sections: List<Pair<Section, Double>>, top: Double, screen: Size? = null): List<Stay> {
            val heights = sections.map { (section, height) -> if (section.layout["style"] == "pinned") 0.0 else height }
            val most = screen?.height?.div(2) ?: Double.POSITIVE_INFINITY
            val tops = arrayListOf(top)
            heights.forEach { tops.add(tops.last() + it) }
            val staying = heights.indices.filter {
                sections[it].first.layout["sticky"] == true && heights[it] > 0 && heights[it] <= most
            }
            return heights.indices.map { at ->
                val next = staying.find { it > at } ?: heights.size
                if (at in staying) Stay(Sticky(tops[at], tops[next] - heights[at]), 0.0)
                else Stay(null, staying.lastOrNull { it < at }?.let { heights[it] } ?: 0.0)
            }
        }
    }
}

/** Points that no screen can tell apart. */
private const val slight = 1e-6
/** How high tabs are: enough for a finger. */
private const val tabsHeight = 44.0
/** The most columns, and the most rows of a leaf. */
private const val most = 24

/** The styles whose sections are not high enough to scroll below their header; one that is not known is a list. */
private val lowStyles = setOf<Any?>("shelf", "carousel", "ticker", "pinned")

private fun number(json: Any?): Double? = (json as? Number)?.toDouble()
private fun Map<String, Any?>.number(name: String): Double? = number(this[name])
private fun List<Double>.highest(least: Double = 0.0): Double = fold(least) { most, each -> maxOf(most, each) }

private class Arranging(
    private val section: Section, private val container: Double, private val screen: Size?, private val scale: Double?,
    private val measureWidth: (Item) -> Double, private val measureLines: (Item, Double, Int) -> Double,
    private val measure: (Item, Double) -> Double
) {
    val cells = ArrayList<Cell>()
    var leaves = emptyList<Leaf>()
    var scrolling: Scrolling? = null

    private val layout = section.layout
    private val style = layout["style"]
    private val rows = (layout["rows"] as? List<*>)?.map { number(it)?.toInt() ?: 1 }
    private val rowCount = maxOf(1, layout.number("rowCount")?.toInt() ?: 1)
    private val spacing = layout.number("itemSpacing") ?: 0.0
    private val gap = layout.number("lineSpacing") ?: 0.0
    private val size = layout["itemSize"]
    private val inset = Inset(layout["inset"])
    private val inner = container - inset.leading - inset.trailing
    private val groups = layout["group"]?.let { Groups(Json.members(it), spacing, gap, ::down) }
    private var y = inset.top
    /** Where slots and items begin and end. */
    private var start = y
    private var end = y

    private fun down(points: Double) = if (scale == null) points else Math.floor(points * scale + slight) / scale
    private fun up(points: Double) = if (scale == null) points else Math.ceil(points * scale - slight) / scale

    /** As many columns of their least width as fit, if the layout says so. */
    private fun fitting(room: Double): Int? = Json.members(layout["columns"]).number("minimum")?.let { least ->
        minOf(most.toDouble(), Math.floor(maxOf(1.0, (room + spacing + slight) / (least + spacing)))).toInt()
    }

    /** The columns that `rows` gives a row. */
    private fun pattern(row: Int): Int = maxOf(1, rows?.getOrNull(minOf(row, rows.size - 1)) ?: 1)

    /**
     * Points, or a fraction of the room or the screen.
     * @return `null` of what is neither, and of a screen that nobody knows
     */
    private fun pointsIn(given: Any?, room: Double?, whole: Double?): Double? {
        number(given)?.let { return it }
        val extent = Json.members(given)
        val fraction = extent.number("fraction") ?: return extent.number("points")
        val of = if (extent["of"] == "screen") whole else if (extent["of"] == null) room else null
        return of?.let { down(fraction * it) }
    }

    /** At least and then at most what stands beside an extent. */
    private fun within(length: Double, extent: Map<String, Any?>, room: Double?, whole: Double?): Double {
        val least = pointsIn(extent["minimum"], room, whole) ?: length
        val greatest = pointsIn(extent["maximum"], room, whole) ?: Double.POSITIVE_INFINITY
        return minOf(maxOf(length, least), greatest)
    }

    /**
     * The width of a cell with its own inset.
     * @param item `null` for a cell that shows several
     * @param sideways the room of what scrolls sideways, where columns bound nothing
     */
    private fun widthOf(size: Any?, item: Item?, columns: Int, sideways: Double? = null): Double {
        val width = Json.members(size)["width"]
        val room = sideways ?: inner
        val column = down((room - (columns - 1) * spacing) / columns)
        if (width == "column") return column
        val extent = Json.members(width)
        val whole = screen?.width ?: container
        var length = pointsIn(width, room, whole) ?: down(room)
        var isCapped = "fraction" in extent && "of" !in extent
        if (extent["content"] != null && item != null) {
            val content = Json.members(extent["content"])
            val own = Inset(item.json["inset"])
            val text = maxOf(content.number("minimum") ?: 0.0, up(measureWidth(item)))
            length = minOf(text, content.number("maximum") ?: Double.POSITIVE_INFINITY) + own.leading + own.trailing
            isCapped = true
        }
        length = within(length, extent, room, whole)
        return if (isCapped) minOf(length, if (sideways != null) down(room) else column) else length
    }

    private fun heightOf(size: Any?, width: Double, item: Item?, shown: List<Item>): Double {
        val height = Json.members(Json.members(size)["height"])
        val aspect = number(item?.json?.get("aspect")) ?: height.number("aspect")
        val known = if (aspect != null) down(width / aspect) else pointsIn(height, null, screen?.height)
        val content = Json.members(height["content"])
        val lines = content.number("lines")?.toInt()
        val length = known ?: shown.map {
            up(if (lines == null) measure(it, width) else measureLines(it, width, lines))
        }.highest(content.number("minimum") ?: 0.0)
        return within(length, height, null, screen?.height)
    }

    /** Adds the cell that an item's own inset leaves of its room, and gives the height of the room. */
    private fun put(part: Part, item: Item, size: Any?, room: Double, x: Double, at: Double = y): Double {
        val own = Inset(item.json["inset"])
        val width = maxOf(0.0, room - own.leading - own.trailing)
        val height = heightOf(size, width, item, listOf(item))
        cells.add(Cell(part, item, x + own.leading, at + own.top, width, height))
        return own.top + height + own.bottom
    }

    /** What is laid out beside one another: an item each, or as many as a group has cells. */
    private class Block(val items: List<Item>, val width: Double, val areas: Areas?)

    private fun blocksOf(items: List<Item>): List<List<Item>> = items.chunked(groups?.count ?: 1)

    private fun block(items: List<Item>, columns: Int, sideways: Double? = null): Block {
        val width = widthOf(size, if (groups == null) items[0] else null, columns, sideways)
        val areas = groups?.areasOf(items.size, width, heightOf(size, width, null, emptyList()))
        return Block(items, areas?.width ?: width, areas)
    }

    /** Adds the cells of a block, and gives the height of its room. */
    private fun put(block: Block, x: Double, at: Double = y): Double {
        val areas = block.areas ?: return put(Part.ITEM, block.items[0], size, block.width, x, at)
        areas.cells.zip(block.items).forEach { (area, item) ->
            val own = Inset(item.json["inset"])
            cells.add(Cell(
                Part.ITEM, item, x + area.x + own.leading, at + area.y + own.top,
                maxOf(0.0, area.width - own.leading - own.trailing), maxOf(0.0, area.height - own.top - own.bottom)))
        }
        return areas.height
    }

    private val separator = layout["separator"]?.let { Json.members(it) }

    /** Gives the first cell of a row the line below it: in the middle of the space above the next row, if it fits there. */
    private fun separate(cell: Cell, x: Double, width: Double, next: Double) {
        val height = separator?.number("width") ?: return
        val before = separator.number("leading") ?: 0.0
        val long = width - before - (separator.number("trailing") ?: 0.0)
        val y = next - height - down(maxOf(0.0, gap - height) / 2)
        if (long > 0 && height > 0) cell.separator = Area(x + before, y, long, height)
    }

    private fun bar(item: Item?, part: Part, size: Any?) {
        if (item != null) y += put(part, item, size, widthOf(size, item, 1), inset.leading)
    }

    private class Placed(val item: Item, val size: Any?, val width: Double)

    /** As many in a line as it has room for, one at least. */
    private fun flow(given: List<Pair<Item, Any?>>, part: Part, alignment: Any?) {
        val lines = ArrayList<ArrayList<Placed>>()
        var long = 0.0
        for ((item, size) in given) {
            val placed = Placed(item, size, widthOf(size, item, 1))
            if (lines.isNotEmpty() && long + spacing + placed.width <= inner + slight) {
                lines.last().add(placed)
                long += spacing + placed.width
            } else {
                lines.add(arrayListOf(placed))
                long = placed.width
            }
        }
        lines.forEachIndexed { row, line ->
            val isLast = row == lines.size - 1
            val room = maxOf(0.0, inner - line.fold(-spacing) { long, each -> long + spacing + each.width })
            val isSpread = alignment == "justified" && !isLast && line.size > 1
            val more = if (isSpread) down(room / (line.size - 1)) else 0.0
            var x = inset.leading + when (alignment) { "center" -> down(room / 2); "trailing" -> room; else -> 0.0 }
            y += line.map { each ->
                put(part, each.item, each.size, each.width, x).also { x += each.width + spacing + more }
            }.highest() + if (isLast) 0.0 else gap
        }
    }

    private fun sideways(viewport: Double, start: Double, end: Double): Sideways {
        val paging = layout["paging"] ?: if (style == "carousel") "item" else "none"
        return Sideways(viewport, start, end, paging, Json.members(layout["peek"]), spacing, ::down)
    }

    /** One cell, and the leaves in it. */
    private fun carousel(all: List<Item>) {
        val viewport = down(inner)
        val row = sideways(viewport, 0.0, 0.0)
        val held = if (rows == null) 1 else
            (0 until minOf(rowCount, most)).fold(0) { sum, each -> sum + minOf(pattern(each), most) }
        val parts = all.chunked(held)
        val widths = parts.map { widthOf(size, if (rows == null) it[0] else null, 1, row.room) }
        val places = row.placesOf(widths)
        leaves = parts.mapIndexed { at, items -> Leaf(items, inset.leading + places[at], widths[at]) }
        scrolling = row.scrollingOf(widths, places)
        val height = leaves.map { heightOf(size, it.width, null, it.items) }.highest()
        cells.add(Cell(Part.LIST, null, inset.leading, y, viewport, height))
        y += height
    }

    /** Columns beside one another, each of as many rows as the shelf has; a row is as high as its highest cell. */
    private fun shelf() {
        val row = sideways(container, inset.leading, inset.trailing)
        val count = fitting(row.room) ?: pattern(Int.MAX_VALUE)
        val columns = blocksOf(section.items).chunked(rowCount)
            .map { column -> column.map { block(it, count, row.room) } }
        val widths = columns.map { column -> column.map { it.width }.highest() }
        val places = row.placesOf(widths)
        scrolling = row.scrollingOf(widths, places)
        // Each cell is put at the top of its row, which is known once the heights of all are.
        val first = cells.size
        val lineOf = ArrayList<Int>()
        val heights = columns.mapIndexed { at, column ->
            column.mapIndexed { line, block ->
                block.items.forEach { _ -> lineOf.add(line) }
                put(block, places[at], 0.0)
            }
        }
        val lines = heights[0].size
        val tops = (0 until lines).map { line ->
            y.also {
                y += heights.map { it.getOrNull(line) ?: 0.0 }.highest() + if (line < lines - 1) gap else 0.0
            }
        }
        for (at in first until cells.size) cells[at].y += tops[lineOf[at - first]]
        val held = groups?.count ?: 1
        columns.forEachIndexed { at, column ->
            for (line in 1 until column.size) {
                separate(cells[first + (at * rowCount + line - 1) * held], places[at], widths[at], tops[line])
            }
        }
    }

    private fun waterfall(items: List<Item>) {
        val columns = fitting(inner) ?: rows?.lastOrNull()?.takeIf { it > 0 } ?: 2
        val width = down((inner - (columns - 1) * spacing) / columns)
        val ends = DoubleArray(columns) { y }
        for (item in items) {
            val column = ends.indices.fold(0) { least, each -> if (ends[each] < ends[least]) each else least }
            ends[column] += gap + put(
                Part.ITEM, item, size, width, inset.leading + column * (width + spacing), ends[column])
        }
        if (items.isNotEmpty()) y = ends.toList().highest() - gap
    }

    private fun grid(items: List<Item>) {
        val blocks = blocksOf(items)
        var first = 0
        var row = 0
        while (first < blocks.size) {
            val columns = fitting(inner) ?: pattern(row)
            var x = inset.leading
            val head = cells.size
            val heights = blocks.subList(first, minOf(first + columns, blocks.size)).map {
                val block = block(it, columns)
                put(block, x).also { x += block.width + spacing }
            }
            first += columns
            row += 1
            y += heights.highest() + if (first < blocks.size) gap else 0.0
            if (first < blocks.size) separate(cells[head], inset.leading, inner, y)
        }
    }

    private fun list(items: List<Item>) = items.forEachIndexed { at, item ->
        val isLast = at == items.size - 1
        y += put(Part.ITEM, item, size, widthOf(size, item, 1), inset.leading) + if (isLast) 0.0 else gap
        if (!isLast) separate(cells.last(), inset.leading, inner, y)
    }

    /** The rows of an outline that show: children below those that are expanded. */
    private fun opened(items: List<Item>): List<Item> =
        items.flatMap { listOf(it) + if (it.expanded) opened(it.children) else emptyList() }

    fun arrange(): Double {
        val items = section.items
        bar(section.header, Part.HEADER, layout["headerSize"])
        if (section.lists.isNotEmpty()) {
            cells.add(Cell(Part.TABS, null, inset.leading, y, widthOf(null, null, 1), tabsHeight))
            y += tabsHeight
        }
        start = y
        val isOne = style == "carousel" || style == "ticker"
        // Slots share one cell, above the items, but for those with a size of their own; a carousel and a ticker are
        // one cell with all that they have.
        val slots = section.slots
        val names = section.slotNames
        val slotSizes = Json.members(layout["slotSizes"])
        val sized = if (isOne) emptyList() else names.filter { slotSizes[it] != null }
        val shared = names.filter { it !in sized }.map { slots.getValue(it) }
        if (style == "carousel") {
            if (shared.size + items.size > 0) carousel(shared + items)
        } else if (shared.isNotEmpty() || isOne && items.isNotEmpty()) {
            val width = widthOf(size, null, 1)
            val height = heightOf(size, width, null, if (isOne) shared + items else shared)
            cells.add(Cell(if (isOne) Part.LIST else Part.SLOTS, null, inset.leading, y, width, height))
            y += height + if (!isOne && sized.size + items.size > 0) gap else 0.0
        }
        if (sized.isNotEmpty()) {
            flow(sized.map { Pair(slots.getValue(it), slotSizes[it]) }, Part.SLOT, null)
            if (items.isNotEmpty()) y += gap
        }
        when {
            style == "waterfall" -> waterfall(items)
            style == "shelf" -> if (items.isNotEmpty()) shelf()
            style == "flow" -> flow(items.map { Pair(it, size) }, Part.ITEM, layout["alignment"])
            style == "grid" -> grid(items)
            !isOne -> list(if (style == "outline") opened(items) else items)
        }
        end = y
        bar(section.footer, Part.FOOTER, layout["footerSize"])
        return y + inset.bottom
    }

    /** What stands above slots and items and may stay: the tabs, or the header where there are none. */
    private fun head(): Cell? = cells.lastOrNull { it.part == Part.HEADER || it.part == Part.TABS }

    fun background(height: Double): Area? {
        if (layout["background"] == null) return null
        val top = if (head() == null) 0.0 else start
        val foot = if (section.footer == null) height else end
        return when (layout["backgroundFrame"]) {
            "items" -> Area(0.0, top, container, foot - top)
            "section" -> Area(0.0, 0.0, container, height)
            else -> Area(inset.leading, start, maxOf(0.0, inner), end - start)
        }.takeIf { it.height > 0 }
    }

    fun sticky(height: Double): Sticky? {
        val cell = head()
        if (layout["stickyHeader"] != true || cell == null || style in lowStyles) return null
        val below = inset.bottom + Inset(cell.item?.json?.get("inset")).bottom
        return Sticky(cell.y, maxOf(cell.y, height - below - cell.height))
    }
}

/**
 * A row that scrolls sideways, in points from the leading edge of the part of it that shows.
 * @param viewport how wide the part is that shows
 * @param start what stands before the first column
 * @param end what stands after the last one
 */
private class Sideways(
    private val viewport: Double, private val start: Double, private val end: Double, private val paging: Any,
    peek: Map<String, Any?>, private val spacing: Double, private val down: (Double) -> Double
) {
    private val isCentered = paging == "centered"
    private val rest = peek.number("leading")?.let { it + spacing } ?: start
    val room = maxOf(0.0, viewport - rest - (peek.number("trailing")?.let { it + spacing } ?: end))

    /** What is on either side of a column in the middle. */
    private fun margin(width: Double) = maxOf(0.0, down((viewport - width) / 2))

    /** Where each column begins. */
    fun placesOf(widths: List<Double>): List<Double> {
        var x = if (isCentered) margin(widths[0]) else start
        return widths.map { width -> x.also { x += width + spacing } }
    }

    /** The first column of each group of as many as the room holds, one at least. */
    private fun groupsOf(widths: List<Double>, places: List<Double>): List<Int> {
        var first = 0
        return places.indices.filter { column ->
            if (places[column] + widths[column] - places[first] > room + slight) first = column
            first == column
        }
    }

    fun scrollingOf(widths: List<Double>, places: List<Double>): Scrolling {
        fun resting(column: Int) = if (column == 0) 0.0 else places[column] - rest
        val width = widths.last()
        val after = if (isCentered) maxOf(0.0, viewport - width - margin(width)) else end
        val extent = places.last() + width + after
        val rests = when (paging) {
            "item" -> places.indices.map { resting(it) }
            "group" -> groupsOf(widths, places).map { resting(it) }
            "centered" -> places.indices.map { places[it] - margin(widths[it]) }
            else -> emptyList()
        }
        val stops = ArrayList<Double>()
        for (far in rests) {
            val stop = minOf(maxOf(0.0, far), maxOf(0.0, extent - viewport))
            if (stops.isEmpty() || stop > stops.last() + slight) stops.add(stop)
        }
        return Scrolling(extent, stops)
    }
}
