package android.app

import android.os.Bundle
import android.view.Context
import android.view.View

open class Activity : Context() {
    lateinit var content: View
    fun setContentView(view: View) { content = view }
    fun runOnUiThread(task: () -> Unit) = synchronized(this) { task() }
    open fun onCreate(state: Bundle?) {}
    open fun onStart() {}
    open fun onStop() {}
}
