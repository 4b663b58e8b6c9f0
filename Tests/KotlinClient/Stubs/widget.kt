package android.widget

import android.view.Context
import android.view.View
import android.view.Menu
import android.view.MenuItem

class TextView(context: Context) : View(context) { var text: String = "" }

class PopupMenu(context: Context, private val anchor: View) {
    companion object { var shown: PopupMenu? = null }
    val menu = Menu()
    var choose: (MenuItem) -> Boolean = { false }
    fun setOnMenuItemClickListener(told: (MenuItem) -> Boolean) { choose = told }
    fun show() { shown = this.also { anchor.context } }
}
