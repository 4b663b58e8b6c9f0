package androidx.core.view

import android.view.View

object ViewCompat {
    private val names = ArrayList<String>()
    fun addAccessibilityAction(view: View, label: CharSequence, command: (View, Any?) -> Boolean): Int {
        view.spoken[label.toString()] = { command(view, null) }
        names.add(label.toString())
        return names.size - 1
    }
    fun removeAccessibilityAction(view: View, id: Int) { view.spoken.remove(names[id]) }
}
