// Tests/LayoutCases: a section and a container in, frames out.

import hearth.client.Area
import hearth.client.Frames
import hearth.client.Item
import hearth.client.Json
import hearth.client.Pictures
import hearth.client.Section
import hearth.client.Size

/** Points that no screen can tell apart are the same. */
private fun rounded(number: Any?) = Math.round((number as Number).toDouble() * 1e6) / 1e6

private fun roundedIn(row: Any?, after: Int) =
    Json.elements(row).mapIndexed { at, each -> if (at < after) each else rounded(each) }

fun checkFrames() = casesIn("LayoutCases").forEach { (file, case) ->
    check("$file: ${case["name"]}") {
        fun sizes(name: String) = { item: Item -> (Json.members(case[name])[item.id] as? Number)?.toDouble() ?: 0.0 }
        val section = Section(Json.members(case["section"]))
        val width = (case["width"] as Number).toDouble()
        val screen = case["screen"]?.let { rounded(Json.members(it)["width"]) to rounded(Json.members(it)["height"]) }
        val heights = sizes("heights")
        val frames = Frames.of(
            section, width, screen?.let { Size(it.first, it.second) }, case["scale"]?.let { rounded(it) },
            sizes("widths"), { item, _, count ->
                (Json.members(Json.members(case["lines"])[item.id])["$count"] as? Number)?.toDouble() ?: 0.0
            }) { item, _ -> heights(item) }
        val found = frames.cells.map { cell ->
            val numbers = listOf(cell.x, cell.y, cell.width, cell.height).map { rounded(it) }
            listOf(cell.part.name.toLowerCase(), cell.item?.id) + numbers
        }
        equal(found, Json.elements(case["cells"]).map { roundedIn(it, 2) }, "cells")
        equal(rounded(frames.height), rounded(case["height"]), "height")
        case["lefts"]?.let { lefts ->
            val isRightToLeft = case["direction"] == "rightToLeft"
            val sides = frames.cells.map { rounded(Frames.left(it.x, it.width, width, isRightToLeft)) }
            equal(sides, Json.elements(lefts).map { rounded(it) }, "lefts")
        }
        case["leaves"]?.let { leaves ->
            val ids = frames.leaves.map { leaf ->
                listOf(leaf.items.map { it.id }, rounded(leaf.x), rounded(leaf.width))
            }
            equal(ids, Json.elements(leaves).map { roundedIn(it, 1) }, "leaves")
        }
        fun numbers(area: Area) = listOf(area.x, area.y, area.width, area.height).map { rounded(it) }
        val separators = frames.cells.mapNotNull { it.separator }
        equal(separators.map { numbers(it) }, Json.elements(case["separators"]).map { roundedIn(it, 0) }, "separators")
        if ("background" in case) {
            val background = frames.background?.let { numbers(it) }
            equal(background, case["background"]?.let { roundedIn(it, 0) }, "background")
        }
        val sticky = frames.sticky?.let { listOf(rounded(it.y), rounded(it.until)) }
        equal(sticky, case["sticky"]?.let { roundedIn(it, 0) }, "sticky")
        val scrolling = case["scrolling"]?.let { Json.members(it) }
        if (scrolling != null) {
            val rests = frames.scrolling?.let { Pair(rounded(it.extent), it.stops.map { stop -> rounded(stop) }) }
            val stops = Json.elements(scrolling["stops"]).map { rounded(it) }
            equal(rests, Pair(rounded(scrolling["extent"]), stops), "scrolling")
        } else if (section.layout["style"] != "carousel") equal(frames.scrolling, null, "scrolling")
    }
}

fun checkStays() = casesIn("StickyCases").forEach { (file, case) ->
    check("$file: ${case["name"]}") {
        fun number(json: Any?) = json?.let { rounded(it) }
        val sections = Json.elements(case["sections"]).map { Json.members(it) }
        val screen = case["screen"]?.let { Size(rounded(Json.members(it)["width"]), rounded(Json.members(it)["height"])) }
        val stays = Frames.stays(sections.map { Pair(Section(it), rounded(it["height"])) }, rounded(case["top"]), screen)
        equal(
            stays.map { listOf(number(it.sticky?.y), number(it.sticky?.until), number(it.above)) },
            Json.elements(case["stays"]).map { stay -> Json.elements(stay).map { number(it) } }, "stays")
    }
}

fun checkPictures() = casesIn("PictureCases").forEach { (file, case) ->
    check("$file: ${case["name"]}") {
        fun number(name: String) = (case[name] as Number).toDouble()
        equal(Pictures.url(case["picture"], number("width"), number("scale")), case["url"], "url")
    }
}
