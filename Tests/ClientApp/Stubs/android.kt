// The names of Android that the app of docs/apps.md uses, so that it is compiled where there is no Android.

package android.view

class Context
open class ViewGroup { val context = Context() }
