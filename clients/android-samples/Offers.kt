// What an item offers beside its tap (`actions`), for PageAdapter: a menu where its view is pressed for long, what assistive
// technologies offer, and a swipe. Copy it into an app.
// Not run on a device: type-checked, and run, against stubs of the platform (Tests/KotlinClient/Stubs).

package hearth.samples

import android.graphics.Color
import android.text.SpannableString
import android.text.Spanned
import android.text.style.ForegroundColorSpan
import android.view.View
import android.widget.PopupMenu
import androidx.core.view.ViewCompat
import androidx.recyclerview.widget.ItemTouchHelper
import androidx.recyclerview.widget.RecyclerView
import hearth.client.Item
import hearth.client.ItemAction

/** What a view offers of the item that it shows. */
class Offers(private val view: View) {
    private val spoken = ArrayList<Int>()

    fun show(item: Item?, perform: (Item, ItemAction) -> Unit) {
        spoken.forEach { ViewCompat.removeAccessibilityAction(view, it) }
        spoken.clear()
        val actions = item?.actions ?: emptyList()
        if (item == null || actions.isEmpty()) {
            view.setOnLongClickListener(null)
            view.isLongClickable = false
            return
        }
        for (each in actions) {
            spoken += ViewCompat.addAccessibilityAction(view, each.title) { _, _ ->
                perform(item, each)
                true
            }
        }
        view.setOnLongClickListener {
            val menu = PopupMenu(view.context, view)
            actions.forEachIndexed { at, each -> menu.menu.add(0, at, at, titleOf(each)) }
            menu.setOnMenuItemClickListener { chosen ->
                perform(item, actions[chosen.itemId])
                true
            }
            menu.show()
            true
        }
    }

    private fun titleOf(offered: ItemAction): CharSequence = SpannableString(offered.title).apply {
        if (offered.isDestructive) {
            setSpan(ForegroundColorSpan(Color.RED), 0, offered.title.length, Spanned.SPAN_EXCLUSIVE_EXCLUSIVE)
        }
    }
}

/** A swipe over a row does the first action of the side that it uncovers, unless that takes something away. */
class Swipes(
    private val adapter: PlacedAdapter, private val layout: PlacedLayout, private val perform: (Item, ItemAction) -> Unit
) : ItemTouchHelper.SimpleCallback(0, ItemTouchHelper.LEFT or ItemTouchHelper.RIGHT) {
    private fun itemOf(position: Int) = adapter.currentList.getOrNull(position)?.items?.singleOrNull()

    private fun first(item: Item?, direction: Int): ItemAction? {
        val isLeading = (direction == ItemTouchHelper.RIGHT) != layout.isRightToLeft
        return item?.actions?.firstOrNull { it.isLeading == isLeading }?.takeIf { !it.isDestructive }
    }

    override fun getSwipeDirs(recyclerView: RecyclerView, viewHolder: RecyclerView.ViewHolder): Int {
        val item = itemOf(viewHolder.adapterPosition)
        return listOf(ItemTouchHelper.LEFT, ItemTouchHelper.RIGHT).filter { first(item, it) != null }.sum()
    }

    override fun onMove(
        recyclerView: RecyclerView, viewHolder: RecyclerView.ViewHolder, target: RecyclerView.ViewHolder
    ) = false

    override fun onSwiped(viewHolder: RecyclerView.ViewHolder, direction: Int) {
        val position = viewHolder.adapterPosition
        val item = itemOf(position) ?: return
        // The row comes back; whether it goes is the server's to say.
        adapter.notifyItemChanged(position)
        first(item, direction)?.let { perform(item, it) }
    }
}
