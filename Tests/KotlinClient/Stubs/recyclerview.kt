package androidx.recyclerview.widget

import android.view.Context
import android.view.View
import android.view.ViewGroup

class DiffUtil {
    abstract class ItemCallback<T> {
        abstract fun areItemsTheSame(old: T, new: T): Boolean
        abstract fun areContentsTheSame(old: T, new: T): Boolean
    }
}

class RecyclerView(context: Context) : ViewGroup(context) {
    companion object { const val SCROLL_STATE_IDLE = 0 }
    abstract class ViewHolder(val itemView: View) { var adapterPosition = 0 }
    class LayoutParams(width: Int, height: Int) { val size = Pair(width, height) }
    class State
    abstract class Adapter {
        internal abstract fun viewAt(position: Int, parent: ViewGroup): View
        internal var changed: () -> Unit = {}
        fun notifyItemChanged(position: Int) { changed().also { position } }
    }
    class Recycler(private val list: RecyclerView) {
        val scrapList = ArrayList<ViewHolder>()
        fun getViewForPosition(position: Int): View = list.adapter!!.viewAt(position, list)
        fun recycleView(view: View) { list.children.remove(view) }
    }
    abstract class LayoutManager {
        internal lateinit var owner: RecyclerView
        val width: Int get() = owner.width
        val height: Int get() = owner.height
        abstract fun generateDefaultLayoutParams(): LayoutParams
        open fun canScrollVertically() = false
        open fun canScrollHorizontally() = false
        open fun onAttachedToWindow(view: RecyclerView) {}
        open fun onScrollStateChanged(state: Int) {}
        open fun onLayoutChildren(recycler: Recycler, state: State) {}
        open fun scrollVerticallyBy(dy: Int, recycler: Recycler, state: State) = 0
        open fun scrollHorizontallyBy(dx: Int, recycler: Recycler, state: State) = 0
        fun detachAndScrapAttachedViews(recycler: Recycler) { owner.children.clear() }
        fun addView(view: View) { owner.children.add(view) }
        fun layoutDecorated(view: View, left: Int, top: Int, right: Int, bottom: Int) = view.layout(left, top, right, bottom)
    }

    var adapter: Adapter? = null
        set(value) {
            field = value
            value?.changed = { layOut() }
        }
    var layoutManager: LayoutManager? = null
        set(value) {
            field = value
            value?.owner = this
            value?.onAttachedToWindow(this)
        }

    override fun layout(left: Int, top: Int, right: Int, bottom: Int) {
        super.layout(left, top, right, bottom)
        layOut()
    }
    private fun layOut() { layoutManager?.onLayoutChildren(Recycler(this), State()) }

    internal var swiped: (Int, Int) -> Boolean = { _, _ -> false }
    /** A finger takes what is at a position aside; whether it comes along. */
    fun swipe(position: Int, direction: Int): Boolean = swiped(position, direction)

    /** A finger moves, and leaves. */
    fun scroll(by: Int) {
        layoutManager!!.run {
            if (canScrollHorizontally()) scrollHorizontallyBy(by, Recycler(owner), State())
            else scrollVerticallyBy(by, Recycler(owner), State())
            onScrollStateChanged(SCROLL_STATE_IDLE)
        }
    }
    fun smoothScrollBy(dx: Int, dy: Int) {
        layoutManager?.scrollHorizontallyBy(dx, Recycler(this), State())
        layoutManager?.scrollVerticallyBy(dy, Recycler(this), State())
    }
}

abstract class ListAdapter<T, VH : RecyclerView.ViewHolder>(private val callback: DiffUtil.ItemCallback<T>) :
    RecyclerView.Adapter() {
    @Volatile var currentList: List<T> = emptyList()
    /** How many of the last list were there before, and as they are. */
    var same = 0
    abstract fun onCreateViewHolder(parent: ViewGroup, viewType: Int): VH
    abstract fun onBindViewHolder(holder: VH, position: Int)
    open fun getItemViewType(position: Int) = 0
    fun getItem(position: Int): T = currentList[position]
    override fun viewAt(position: Int, parent: ViewGroup): View =
        onCreateViewHolder(parent, getItemViewType(position)).also {
            it.adapterPosition = position
            onBindViewHolder(it, position)
        }.itemView
    fun submitList(list: List<T>) {
        same = list.count { new ->
            currentList.any { callback.areItemsTheSame(it, new) && callback.areContentsTheSame(it, new) }
        }
        currentList = list
        changed()
    }
}

class ItemTouchHelper(private val callback: SimpleCallback) {
    companion object {
        const val LEFT = 4
        const val RIGHT = 8
    }
    abstract class SimpleCallback(val dragDirs: Int, val swipeDirs: Int) {
        internal var list: RecyclerView? = null
        open fun getSwipeDirs(recyclerView: RecyclerView, viewHolder: RecyclerView.ViewHolder): Int = swipeDirs
        abstract fun onMove(
            recyclerView: RecyclerView, viewHolder: RecyclerView.ViewHolder, target: RecyclerView.ViewHolder
        ): Boolean
        abstract fun onSwiped(viewHolder: RecyclerView.ViewHolder, direction: Int)
    }
    fun attachToRecyclerView(list: RecyclerView) {
        callback.list = list
        list.swiped = { position, direction ->
            val holder = object : RecyclerView.ViewHolder(list) {}.also { it.adapterPosition = position }
            val isTaken = callback.getSwipeDirs(list, holder) and direction != 0
            if (isTaken) callback.onSwiped(holder, direction)
            isTaken
        }
    }
}
