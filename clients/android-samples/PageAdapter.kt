// Shows a page in a RecyclerView by Frames: shelves and carousels are lists within, what stays is on top, backgrounds are views
// behind.
// Copy it into an app, with Placed.kt, Backdrop.kt and Offers.kt.
// Not run on a device: type-checked, and run, against stubs of the platform (Tests/KotlinClient/Stubs).

package hearth.samples

import android.graphics.Bitmap
import android.view.View
import android.view.ViewGroup
import androidx.recyclerview.widget.DiffUtil
import androidx.recyclerview.widget.ItemTouchHelper
import androidx.recyclerview.widget.ListAdapter
import androidx.recyclerview.widget.RecyclerView
import hearth.client.Frames
import hearth.client.Item
import hearth.client.ItemAction
import hearth.client.Json
import hearth.client.Page
import hearth.client.Size

/** What draws items: an app's, by the item's kind, which is empty for a cell with several, such as slots. */
interface Drawing {
    fun create(parent: ViewGroup, kind: String): View
    fun bind(view: View, items: List<Item>)
    /** Does what was chosen of an item's `actions`. */
    fun perform(item: Item, chosen: ItemAction)
    /** Loads a background's picture by its address on the page, and shows it on the main thread. */
    fun picture(url: String, show: (Bitmap) -> Unit) {}
}

private object Same : DiffUtil.ItemCallback<Placed>() {
    override fun areItemsTheSame(old: Placed, new: Placed) = old.id == new.id
    override fun areContentsTheSame(old: Placed, new: Placed): Boolean =
        old.look == new.look && old.row.zip(new.row).all { (one, other) -> areContentsTheSame(one, other) }
}

class Holder(view: View) : RecyclerView.ViewHolder(view) { val offers = Offers(view) }

/** The views of placed cells. */
open class PlacedAdapter(private val drawing: Drawing) : ListAdapter<Placed, Holder>(Same) {
    private val kinds = ArrayList<String>()

    override fun getItemViewType(position: Int): Int {
        val kind = getItem(position).kind
        return kinds.indexOf(kind).takeIf { it >= 0 } ?: kinds.size.also { kinds.add(kind) }
    }

    override fun onCreateViewHolder(parent: ViewGroup, viewType: Int): Holder {
        val kind = kinds[viewType]
        if (kind == "/backdrop") return Holder(BackdropView(parent, drawing::picture))
        if (kind != "/row") return Holder(drawing.create(parent, kind))
        val adapter = PlacedAdapter(drawing)
        val list = RecyclerView(parent.context)
        list.layoutManager = PlacedLayout(adapter, isSideways = true)
        return Holder(list.also { it.adapter = adapter })
    }

    override fun onBindViewHolder(holder: Holder, position: Int) {
        val placed = getItem(position)
        val view = holder.itemView
        if (view is BackdropView) return view.show(placed.backdrop ?: emptyMap(), placed.width, placed.isRightToLeft)
        if (view !is RecyclerView) {
            holder.offers.show(placed.items.singleOrNull(), drawing::perform)
            return drawing.bind(view, placed.items)
        }
        (view.layoutManager as PlacedLayout).run {
            isRightToLeft = placed.isRightToLeft
            extent = placed.extent
            stops = placed.stops
        }
        (view.adapter as PlacedAdapter).submitList(placed.row)
    }
}

private fun exactly(pixels: Int) = View.MeasureSpec.makeMeasureSpec(pixels, View.MeasureSpec.EXACTLY)
private val unbounded = View.MeasureSpec.makeMeasureSpec(0, View.MeasureSpec.UNSPECIFIED)

/** A page's cells, for a list of [layout]. */
class PageAdapter(val list: RecyclerView, private val drawing: Drawing) : PlacedAdapter(drawing) {
    val layout = PlacedLayout(this)
    private val scale = list.resources.displayMetrics.density.toDouble()
    private val measured = HashMap<String, View>()
    private var again = {}
    private val chosen = HashMap<String, String>()

    init {
        list.adapter = this
        list.layoutManager = layout
        ItemTouchHelper(Swipes(this, layout, drawing::perform)).attachToRecyclerView(list)
        // What is drawn for a size is drawn anew for another one.
        list.addOnLayoutChangeListener { _, left, top, right, bottom, oldLeft, oldTop, oldRight, oldBottom ->
            if (right - left != oldRight - oldLeft || bottom - top != oldBottom - oldTop) list.post { again() }
        }
    }

    /** @param itemsOf the items of a section, with those of a long list that came: `client::items` */
    fun show(page: Page, itemsOf: ((String) -> List<Item>)? = null) {
        again = { show(page, itemsOf) }
        layout.isRightToLeft = page.isRightToLeft
        val placing = Placing(scale, page.isRightToLeft, ::width)
        val inset = page.inset
        var y = inset.top
        val width = list.width / scale - inset.leading - inset.trailing
        val screen = list.resources.displayMetrics.run { Size(widthPixels / scale, heightPixels / scale) }
        val lists = page.sections.map { it.list(chosen[it.id])?.id }
        val sections = page.sections.zip(lists) { section, list ->
            (if (itemsOf == null) section else section.with(itemsOf(section.id))).showing(list)
        }
        val frames = sections.map { Frames.of(it, width, screen, scale, ::width, ::height) }
        val stays = Frames.stays(sections.zip(frames) { section, its -> Pair(section, its.height) }, inset.top, screen)
        val shown = sections.indices.flatMap { at ->
            placing.placed(sections[at], lists[at], frames[at], stays[at], inset.leading, y, width)
                .also { y += frames[at].height }
        }
        layout.extent = placing.pixels(y + inset.bottom)
        val look = Json.members(page.json["background"])
        // It stays where it is while all else is scrolled.
        val behind = if (look.isEmpty()) null else Placed(
            "/backdrop", emptyList(), 0, 0, list.width, list.height, isRightToLeft = page.isRightToLeft,
            staying = Staying(0, Int.MAX_VALUE, 0), backdrop = look)
        submitList(listOfNotNull(behind) + shown)
    }

    /** Shows another one of the lists that share a section: what a tap on a tab (an item of the kind `/tabs`) does. */
    fun choose(section: String, list: String) {
        chosen[section] = list
        again()
    }

    /** A view that is never shown tells how much room a content needs. */
    private fun measured(item: Item, width: Int): View {
        val view = measured.getOrPut(item.kind) { drawing.create(list, item.kind) }
        drawing.bind(view, listOf(item))
        view.measure(width, unbounded)
        return view
    }

    private fun height(item: Item, width: Double) = measured(item, exactly(Math.round(width * scale).toInt())).measuredHeight / scale
    private fun width(item: Item) = measured(item, unbounded).measuredWidth / scale
}

/** Lays out what shows of placed cells, and takes in what does not. */
class PlacedLayout(val adapter: PlacedAdapter, val isSideways: Boolean = false) : RecyclerView.LayoutManager() {
    var isRightToLeft = false
    /** Where it comes to rest; anywhere without them. */
    var stops = emptyList<Int>()
    /** The length of all that scrolls. */
    var extent = 0
    private var offset = 0
    private var list: RecyclerView? = null

    override fun onAttachedToWindow(view: RecyclerView) { list = view }

    override fun onScrollStateChanged(state: Int) {
        val nearest = stops.sortedBy { Math.abs(it - offset) }.firstOrNull() ?: offset
        if (state != RecyclerView.SCROLL_STATE_IDLE || nearest == offset) return
        list?.smoothScrollBy(if (isRightToLeft) offset - nearest else nearest - offset, 0)
    }

    override fun generateDefaultLayoutParams() = RecyclerView.LayoutParams(0, 0)
    override fun canScrollVertically() = !isSideways
    override fun canScrollHorizontally() = isSideways

    override fun onLayoutChildren(recycler: RecyclerView.Recycler, state: RecyclerView.State) = scrollTo(offset, recycler)

    private fun scrollTo(wanted: Int, recycler: RecyclerView.Recycler) {
        val room = if (isSideways) width else height
        offset = maxOf(0, minOf(wanted, extent - room))
        detachAndScrapAttachedViews(recycler)
        // What stays is above what scrolls below it.
        for (layer in 0..2) for ((position, it) in adapter.currentList.withIndex()) {
            if ((it.staying?.layer ?: 0) != layer) continue
            val (start, size) = if (isSideways) Pair(it.x, it.width) else Pair(it.top(offset), it.height)
            if (start >= offset + room || start + size <= offset) continue
            val view = recycler.getViewForPosition(position)
            addView(view)
            view.measure(exactly(it.width), exactly(it.height))
            val x = if (isSideways) it.x - offset else it.x
            val left = if (isRightToLeft) width - x - it.width else x
            val top = if (isSideways) it.y else start - offset
            layoutDecorated(view, left, top, left + it.width, top + it.height)
        }
        recycler.scrapList.toList().forEach { recycler.recycleView(it.itemView) }
    }

    private fun scrollBy(delta: Int, recycler: RecyclerView.Recycler): Int =
        -offset.also { scrollTo(offset + delta, recycler) } + offset

    override fun scrollVerticallyBy(dy: Int, recycler: RecyclerView.Recycler, state: RecyclerView.State) =
        scrollBy(dy, recycler)
    override fun scrollHorizontallyBy(dx: Int, recycler: RecyclerView.Recycler, state: RecyclerView.State) =
        if (isRightToLeft) -scrollBy(-dx, recycler) else scrollBy(dx, recycler)
}
