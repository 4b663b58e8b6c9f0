package androidx.compose.ui.graphics.drawscope

import androidx.compose.ui.graphics.Canvas

class DrawSize(val width: Float, val height: Float)
class DrawScope { val size = DrawSize(1f, 1f) }
fun DrawScope.drawIntoCanvas(block: (Canvas) -> Unit) { also { block } }
