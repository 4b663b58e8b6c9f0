// Shows a page in Compose: cells where Frames says, shelves and carousels in rows of their own, what stays, backgrounds.
// Copy it into an app, with Backdrop.kt and OffersView.kt.
// Not run on a device: type-checked against stubs of the platform (Tests/KotlinClient/Stubs).

package hearth.samples

import android.graphics.Bitmap
import androidx.compose.foundation.clickable
import androidx.compose.foundation.horizontalScroll
import androidx.compose.foundation.isSystemInDarkTheme
import androidx.compose.foundation.layout.Box
import androidx.compose.foundation.layout.BoxWithConstraints
import androidx.compose.foundation.layout.PaddingValues
import androidx.compose.foundation.layout.Row
import androidx.compose.foundation.layout.fillMaxWidth
import androidx.compose.foundation.layout.height
import androidx.compose.foundation.layout.offset
import androidx.compose.foundation.layout.size
import androidx.compose.foundation.lazy.LazyColumn
import androidx.compose.foundation.lazy.LazyListState
import androidx.compose.foundation.lazy.rememberLazyListState
import androidx.compose.foundation.rememberScrollState
import androidx.compose.runtime.Composable
import androidx.compose.runtime.CompositionLocalProvider
import androidx.compose.runtime.DisposableEffect
import androidx.compose.runtime.LaunchedEffect
import androidx.compose.runtime.MutableState
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.ui.Modifier
import androidx.compose.ui.draw.drawBehind
import androidx.compose.ui.graphics.drawscope.drawIntoCanvas
import androidx.compose.ui.graphics.nativeCanvas
import androidx.compose.ui.platform.LocalDensity
import androidx.compose.ui.platform.LocalLayoutDirection
import androidx.compose.ui.unit.IntOffset
import androidx.compose.ui.unit.LayoutDirection
import androidx.compose.ui.unit.dp
import androidx.compose.ui.zIndex
import hearth.client.Area
import hearth.client.Cell
import hearth.client.Frames
import hearth.client.Item
import hearth.client.Json
import hearth.client.Page
import hearth.client.PageClient
import hearth.client.PageState
import hearth.client.Part
import hearth.client.Section
import hearth.client.Size
import hearth.client.Sticky

/** What a client brings while this is shown: a snapshot state may be set on the client's thread. */
@Composable
fun pageState(client: PageClient): PageState {
    val state: MutableState<PageState> = remember(client) { mutableStateOf(client.state) }
    DisposableEffect(client) {
        client.start { state.value = it }
        onDispose { client.stop() }
    }
    return state.value
}

/**
 * A page.
 * @param itemsOf the items of a section, with those of a long list that came: `client::items`
 * @param measureWidth the width in dp that an item's content needs
 * @param measure the height in dp that it needs in a width, such as by `rememberTextMeasurer()`
 * @param pictureOf a background's picture by its address on the page, once it is here
 * @param draw draws the items of a cell, mostly one, by their kinds, in an `OffersView` what offers `actions`
 */
@Composable
fun PageView(
    page: Page, itemsOf: (String) -> List<Item>, measureWidth: (Item) -> Double, measure: (Item, Double) -> Double,
    pictureOf: @Composable() (String) -> Bitmap?, draw: @Composable() (List<Item>) -> Unit
) {
    val direction = if (page.isRightToLeft) LayoutDirection.Rtl else LayoutDirection.Ltr
    CompositionLocalProvider(LocalLayoutDirection provides direction) {
        BoxWithConstraints {
            val screen = Size(maxWidth.value.toDouble(), maxHeight.value.toDouble())
            val scale = LocalDensity.current.density.toDouble()
            val inset = page.inset
            val width = screen.width - inset.leading - inset.trailing
            val margins = PaddingValues(inset.leading.dp, inset.top.dp, inset.trailing.dp, inset.bottom.dp)
            val list = rememberLazyListState()
            val chosen = remember { mutableStateOf(emptyMap<String, String>()) }
            BackgroundView(page.json["background"], Area(0.0, 0.0, screen.width, screen.height), page.isRightToLeft, pictureOf)
            fun shown(section: Section) = section.list(chosen.value[section.id])?.id
            fun whole(section: Section) = section.with(itemsOf(section.id)).showing(shown(section))
            fun frames(whole: Section) = Frames.of(whole, width, screen, scale, measureWidth, measure)
            // The list places sections: how high the others are decides nothing here.
            val heights = page.sections.map { Pair(it, if (it.layout["sticky"] == true) frames(whole(it)).height else 0.0) }
            val view: @Composable() (Section, Double) -> Unit = { section, above ->
                val whole = whole(section)
                val frames = remember(whole, width) { frames(whole) }
                Box(Modifier.fillMaxWidth().height(frames.height.dp)) {
                    BackgroundView(whole.layout["background"], frames.background, page.isRightToLeft, pictureOf)
                    SectionView(whole, frames, list, above, draw) {
                        TabsView(whole.tabs(shown(section)), draw) { chosen.value = chosen.value + (section.id to it) }
                    }
                }
            }
            LazyColumn(Modifier.fillMaxWidth(), list, margins) {
                for ((section, stay) in page.sections.zip(Frames.stays(heights, inset.top, screen)))
                    if (stay.sticky == null) item(section.id) { view(section, stay.above) }
                    else stickyHeader(section.id) { view(section, 0.0) }
            }
        }
    }
}

@Composable
private fun SectionView(
    section: Section, frames: Frames, list: LazyListState, above: Double, draw: @Composable() (List<Item>) -> Unit,
    tabs: @Composable() () -> Unit
) {
    val scrolling = frames.scrolling
    for (cell in frames.cells) {
        val sticky = frames.stickyOf(cell)
        val content: @Composable() () -> Unit = if (cell.part == Part.TABS) tabs else ({ draw(itemsOf(section, cell)) })
        if (sticky != null) HeadView(section, cell, sticky, above, list, content)
        else if (scrolling == null || cell.part != Part.ITEM && cell.part != Part.LIST) PlaceView(section, cell, content)
    }
    if (scrolling != null) RowView(section, frames, scrolling.extent, scrolling.stops, draw)
}

@Composable
private fun BackgroundView(look: Any?, area: Area?, isRightToLeft: Boolean, pictureOf: @Composable() (String) -> Bitmap?) {
    if (area == null || look == null) return
    val scale = LocalDensity.current.density
    val backdrop = Backdrop(Json.members(look), scale, isSystemInDarkTheme(), isRightToLeft)
    backdrop.picture = backdrop.url(Math.round(area.width * scale).toInt())?.let { pictureOf(it) }
    Box(Modifier.offset(area.x.dp, area.y.dp).size(area.width.dp, area.height.dp).drawBehind {
        drawIntoCanvas { backdrop.draw(it.nativeCanvas, size.width, size.height) }
    }) {}
}

/** What stays at the top, or so far `above` below it, while its section scrolls: moved where views are placed, and drawn once. */
@Composable
private fun HeadView(
    section: Section, cell: Cell, sticky: Sticky, above: Double, list: LazyListState, content: @Composable() () -> Unit
) {
    val scale = LocalDensity.current.density
    val moved = Modifier.offset {
        val info = list.layoutInfo
        val top = info.visibleItemsInfo.find { it.key == section.id }?.offset ?: 0
        val y = minOf(maxOf(sticky.y, (info.viewportStartOffset - top) / scale + above), sticky.until)
        IntOffset(Math.round(cell.x * scale).toInt(), Math.round(y * scale).toInt())
    }
    Box(moved.zIndex(1f).size(cell.width.dp, cell.height.dp), content)
}

/** Tabs, items of the kind `/tabs`. */
@Composable
private fun TabsView(tabs: List<Item>, draw: @Composable() (List<Item>) -> Unit, choose: (String) -> Unit) {
    Row(Modifier.horizontalScroll(rememberScrollState(0))) {
        for (tab in tabs) Box(Modifier.clickable { choose(tab.id) }) { draw(listOf(tab)) }
    }
}

/** What scrolls sideways: a shelf's cells, or a carousel's leaves within its cell. */
@Composable
private fun RowView(
    section: Section, frames: Frames, extent: Double, stops: List<Double>, draw: @Composable() (List<Item>) -> Unit
) {
    val state = rememberScrollState(0)
    val scale = LocalDensity.current.density
    // Where it comes to rest.
    LaunchedEffect(state.isScrollInProgress) {
        val now = state.value / scale
        val nearest = stops.sortedBy { Math.abs(it - now) }.firstOrNull()
        if (!state.isScrollInProgress && nearest != null) state.animateScrollTo(Math.round(nearest * scale).toInt())
    }
    val list = frames.cells.find { it.part == Part.LIST }
    val shown = if (list == null) Modifier.fillMaxWidth() else
        Modifier.offset(list.x.dp, list.y.dp).size(list.width.dp, list.height.dp)
    Box(shown.horizontalScroll(state)) {
        Box(Modifier.size(extent.dp, (list?.height ?: frames.height).dp)) {
            if (list == null) {
                for (cell in frames.cells) if (cell.part == Part.ITEM) PlaceView(section, cell) { draw(itemsOf(section, cell)) }
            } else {
                for (leaf in frames.leaves) {
                    val cell = Cell(Part.LIST, null, leaf.x - list.x, 0.0, leaf.width, list.height)
                    PlaceView(section, cell) { draw(leaf.items) }
                }
            }
        }
    }
}

private fun itemsOf(section: Section, cell: Cell): List<Item> =
    cell.item?.let { listOf(it) } ?: (section.slots.values + if (cell.part == Part.LIST) section.items else emptyList())

/** A cell and the line below it. Offsets are from the leading edge. */
@Composable
private fun PlaceView(section: Section, cell: Cell, content: @Composable() () -> Unit) {
    Box(Modifier.offset(cell.x.dp, cell.y.dp).size(cell.width.dp, cell.height.dp), content)
    BackgroundView(Json.members(section.layout["separator"]), cell.separator, false) { null }
}
