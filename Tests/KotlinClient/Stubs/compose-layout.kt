package androidx.compose.foundation.layout

import androidx.compose.ui.Modifier
import androidx.compose.ui.unit.Density
import androidx.compose.ui.unit.Dp
import androidx.compose.ui.unit.IntOffset

class PaddingValues(val start: Dp, val top: Dp, val end: Dp, val bottom: Dp)
class BoxWithConstraintsScope(val maxWidth: Dp, val maxHeight: Dp)
fun BoxWithConstraints(content: BoxWithConstraintsScope.() -> Unit) { content }
fun Row(modifier: Modifier, content: () -> Unit) { modifier.also { content } }
fun Box(modifier: Modifier, content: () -> Unit) { modifier.also { content } }
fun Modifier.fillMaxWidth(): Modifier = this
fun Modifier.height(height: Dp): Modifier = also { height }
fun Modifier.offset(x: Dp, y: Dp): Modifier = also { Pair(x, y) }
fun Modifier.offset(offset: Density.() -> IntOffset): Modifier = also { offset }
fun Modifier.size(width: Dp, height: Dp): Modifier = also { Pair(width, height) }
