package android.graphics

object Color {
    const val BLACK = -0x1000000
    const val RED = -0x10000
    fun parseColor(text: String): Int {
        val bits = text.removePrefix("#").toLong(16)
        return (if (text.length == 7) bits or 0xff000000 else bits).toInt()
    }
}

class RectF(val left: Float, val top: Float, val right: Float, val bottom: Float)
class Path {
    enum class Direction { CW }
    var radii = emptyList<Float>()
    fun addRoundRect(rect: RectF, radii: FloatArray, direction: Direction) {
        this.radii = radii.toList().also { Pair(rect, direction) }
    }
}

open class Shader { enum class TileMode { CLAMP } }
class LinearGradient(
    x0: Float, y0: Float, x1: Float, y1: Float, colors: IntArray, positions: FloatArray, tile: TileMode
) : Shader() {
    val said = "${listOf(x0, y0, x1, y1).map { Math.round(it) }} ${colors.map { Integer.toHexString(it) }} " +
        "${positions.toList()}".also { tile.name }
}

class Bitmap(val width: Int, val height: Int)
class Rect

class Paint(val flags: Int) {
    companion object {
        const val ANTI_ALIAS_FLAG = 1
        const val FILTER_BITMAP_FLAG = 2
    }
    enum class Style { FILL, STROKE }
    var color = 0
    var style = Style.FILL
    var strokeWidth = 0f
    var shader: Shader? = null
    var shadow: String? = null
    fun setShadowLayer(radius: Float, dx: Float, dy: Float, color: Int) {
        shadow = "shadow $radius $dx $dy ${Integer.toHexString(color)}"
    }
    fun clearShadowLayer() { shadow = null }
}

/** Notes what is drawn. */
class Canvas {
    val drawn = ArrayList<String>()
    fun drawPath(path: Path, paint: Paint) {
        val what = when {
            paint.shader != null -> "gradient ${(paint.shader as LinearGradient).said}"
            paint.style == Paint.Style.STROKE -> "line ${paint.strokeWidth} ${Integer.toHexString(paint.color)}"
            else -> listOfNotNull("fill ${Integer.toHexString(paint.color)}", paint.shadow).joinToString(" ")
        }
        drawn.add("$what ${path.radii.filterIndexed { at, _ -> at % 2 == 0 }}")
    }
    fun drawBitmap(bitmap: Bitmap, from: Rect?, to: RectF, paint: Paint) {
        val place = listOf(to.left, to.top, to.right, to.bottom)
        drawn.add("picture of ${bitmap.width} at $place".also { Pair(from, paint) })
    }
    fun clipPath(path: Path): Boolean = path.radii.size == 8
    fun save() = 1
    fun restore() {}
}
