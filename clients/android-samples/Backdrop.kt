// Draws the background of a section or page as docs/layout.md says: for PageAdapter and PageView. Copy it into an app.
// Not run on a device: type-checked, and run, against stubs of the platform (Tests/KotlinClient/Stubs).

package hearth.samples

import android.content.res.Configuration
import android.graphics.Bitmap
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.LinearGradient
import android.graphics.Paint
import android.graphics.Path
import android.graphics.RectF
import android.graphics.Shader
import android.view.View
import android.view.ViewGroup
import hearth.client.Json
import hearth.client.Pictures

private fun number(json: Any?): Float = (json as? Number)?.toFloat() ?: 0f

/**
 * A background.
 * @param look the layout's `background`
 * @param scale the screen's pixels for a dp
 */
class Backdrop(
    private val look: Map<String, Any?>, private val scale: Float, private val isDark: Boolean,
    private val isRightToLeft: Boolean
) {
    private val theme = if (isDark) "dark" else "light"
    private val image = Json.members(look["image"]).let { if (it["url"] is String) it else Json.members(it[theme]) }
    /** The address of its picture for so many pixels across, as the page has it; `null` without one. */
    fun url(width: Int): String? = Pictures.url(image, width.toDouble(), 1.0)
    /** What is there; until it is drawn there is none. */
    var picture: Bitmap? = null

    /** `#RRGGBB` or `#RRGGBBAA`, of which the platform has the last two first; or one for light and one for dark. */
    private fun color(json: Any?): Int {
        val text = json as? String ?: Json.members(json)[theme] as? String ?: "#00000000"
        return Color.parseColor(if (text.length == 9) "#" + text.substring(7) + text.substring(1, 7) else text)
    }

    /** Two numbers for each corner, from the one above at the left, clockwise. */
    private val radii: FloatArray
        get() {
            val radius = look["cornerRadius"]
            val each = Json.members(radius)
            val names = if (isRightToLeft) listOf("topTrailing", "topLeading", "bottomLeading", "bottomTrailing")
            else listOf("topLeading", "topTrailing", "bottomTrailing", "bottomLeading")
            return names.map { scale * if (radius is Number) number(radius) else number(each[it]) }
                .flatMap { listOf(it, it) }.toFloatArray()
        }

    /** The shadow, the colour, over it the gradient and the picture, then the border inside the edge; all in pixels. */
    fun draw(canvas: Canvas, width: Float, height: Float) {
        val shape = Path()
        shape.addRoundRect(RectF(0f, 0f, width, height), radii, Path.Direction.CW)
        val paint = Paint(Paint.ANTI_ALIAS_FLAG)
        paint.color = color(look["color"])
        val shadow = Json.members(look["shadow"])
        if (shadow.isNotEmpty()) {
            // CSS blurs over twice what a paint calls its radius, and a radius of zero is none here.
            val side = if (isRightToLeft) -1 else 1
            paint.setShadowLayer(
                maxOf(number(shadow["radius"]) * scale / 2, 0.01f), number(shadow["x"]) * scale * side,
                number(shadow["y"]) * scale, color(shadow["color"]))
        }
        if (look["color"] != null || shadow.isNotEmpty()) canvas.drawPath(shape, paint)
        paint.clearShadowLayer()
        val gradient = Json.members(look["gradient"])
        val stops = Json.elements(gradient["stops"]).map { Json.members(it) }
        if (stops.size > 1) {
            paint.color = Color.BLACK
            val (x, y) = along(gradient["angle"], width, height)
            paint.shader = LinearGradient(
                width / 2 - x, height / 2 - y, width / 2 + x, height / 2 + y,
                stops.map { color(it["color"]) }.toIntArray(), stops.map { number(it["at"]) }.toFloatArray(),
                Shader.TileMode.CLAMP)
            canvas.drawPath(shape, paint)
            paint.shader = null
        }
        canvas.save()
        canvas.clipPath(shape)
        picture?.let { canvas.drawBitmap(it, null, placeOf(it, width, height), Paint(Paint.FILTER_BITMAP_FLAG)) }
        val border = Json.members(look["border"])
        if (border.isNotEmpty()) {
            // Half of a line is on either side of its edge: what is outside is cut off.
            paint.style = Paint.Style.STROKE
            paint.strokeWidth = number(border["width"]) * scale * 2
            paint.color = color(border["color"])
            canvas.drawPath(shape, paint)
        }
        canvas.restore()
    }

    /** In the middle, as large as `fit` says. */
    private fun placeOf(picture: Bitmap, width: Float, height: Float): RectF {
        val (across, down) = Pair(width / picture.width, height / picture.height)
        val (wide, high) = when (image["fit"]) {
            "stretch" -> Pair(across, down)
            "contain" -> minOf(across, down).let { Pair(it, it) }
            else -> maxOf(across, down).let { Pair(it, it) }
        }
        val (x, y) = Pair(picture.width * wide / 2, picture.height * high / 2)
        return RectF(width / 2 - x, height / 2 - y, width / 2 + x, height / 2 + y)
    }

    /** From the middle to where the last colour is: the line of CSS's `linear-gradient`. */
    private fun along(angle: Any?, width: Float, height: Float): Pair<Float, Float> {
        val degrees = (if (angle == null) 180f else number(angle)) * if (isRightToLeft) -1 else 1
        val (sine, cosine) = Math.toRadians(degrees.toDouble()).let { Pair(Math.sin(it), Math.cos(it)) }
        val half = (Math.abs(width * sine) + Math.abs(height * cosine)) / 2
        return Pair((half * sine).toFloat(), (-half * cosine).toFloat())
    }
}

/**
 * Draws a background where views are laid out.
 * @param bring loads a picture by its address on the page, and gives it on the main thread
 */
class BackdropView(parent: ViewGroup, private val bring: (String, (Bitmap) -> Unit) -> Unit) : View(parent.context) {
    private var backdrop: Backdrop? = null

    /** @param width in pixels */
    fun show(look: Map<String, Any?>, width: Int, isRightToLeft: Boolean) {
        val mode = resources.configuration.uiMode and Configuration.UI_MODE_NIGHT_MASK
        val isDark = mode == Configuration.UI_MODE_NIGHT_YES
        val shown = Backdrop(look, resources.displayMetrics.density, isDark, isRightToLeft)
        backdrop = shown
        shown.url(width)?.let { url ->
            bring(url) {
                shown.picture = it
                invalidate()
            }
        }
        invalidate()
    }

    override fun onDraw(canvas: Canvas) { backdrop?.draw(canvas, width.toFloat(), height.toFloat()) }
}
