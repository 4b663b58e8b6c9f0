package androidx.compose.ui.unit

class Density(val density: Float)
class IntOffset(val x: Int, val y: Int)
class Dp(val value: Float)
enum class LayoutDirection { Ltr, Rtl }
val Double.dp: Dp get() = Dp(toFloat())
