package android.view

class MenuItem(val itemId: Int, val title: CharSequence)
class Menu {
    val items = ArrayList<MenuItem>()
    fun add(group: Int, item: Int, order: Int, title: CharSequence) = items.add(order, MenuItem(item + group, title))
}
