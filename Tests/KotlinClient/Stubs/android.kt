// The few names of Android that the samples use, so that they are compiled, and run, where there is no Android.

package android.view

open class Context { val filesDir = java.io.File(System.getProperty("files") ?: "/nowhere") }
class DisplayMetrics { val density = 2f; val widthPixels = 750; val heightPixels = 1334 }
class Resources { val displayMetrics = DisplayMetrics(); val configuration = android.content.res.Configuration() }

open class View(val context: Context) {
    object MeasureSpec {
        const val EXACTLY = 1 shl 30
        const val UNSPECIFIED = 0
        fun makeMeasureSpec(size: Int, mode: Int): Int = size + mode
    }
    val resources = Resources()
    var left = 0; var top = 0; var width = 0; var height = 0
    var measuredWidth = 0; var measuredHeight = 0
    private val listeners = ArrayList<(View, Int, Int, Int, Int, Int, Int, Int, Int) -> Unit>()
    fun addOnLayoutChangeListener(told: (View, Int, Int, Int, Int, Int, Int, Int, Int) -> Unit) { listeners.add(told) }
    fun post(task: () -> Unit) = task()
    fun invalidate() {}
    var isLongClickable = false
    private var held: ((View) -> Boolean)? = null
    fun setOnLongClickListener(told: ((View) -> Boolean)?) {
        held = told
        if (told != null) isLongClickable = true
    }
    /** A finger stays. */
    fun performLongClick(): Boolean = held?.invoke(this) ?: false
    /** What assistive technologies offer, by its name. */
    val spoken = LinkedHashMap<String, () -> Boolean>()
    open fun onDraw(canvas: android.graphics.Canvas) { canvas.drawn.clear() }
    /** A content is as wide as three points, and as high as twenty. */
    fun measure(width: Int, height: Int) {
        measuredWidth = if (width >= MeasureSpec.EXACTLY) width - MeasureSpec.EXACTLY else 6
        measuredHeight = if (height >= MeasureSpec.EXACTLY) height - MeasureSpec.EXACTLY else 40
    }
    open fun layout(left: Int, top: Int, right: Int, bottom: Int) {
        val old = listOf(this.left, this.top, this.left + width, this.top + height)
        this.left = left; this.top = top; width = right - left; height = bottom - top
        for (told in listeners) told(this, left, top, right, bottom, old[0], old[1], old[2], old[3])
    }
}

open class ViewGroup(context: Context) : View(context) { val children = ArrayList<View>() }
