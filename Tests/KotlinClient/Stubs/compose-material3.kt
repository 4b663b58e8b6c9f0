package androidx.compose.material3

import androidx.compose.runtime.CompositionLocal

class Color
class ColorScheme { val error = Color() }
object MaterialTheme { val colorScheme = ColorScheme() }
val LocalContentColor = CompositionLocal(Color())
fun Text(text: String, color: Color) { Pair(text, color) }
fun DropdownMenu(expanded: Boolean, onDismissRequest: () -> Unit, content: () -> Unit) { Triple(expanded, onDismissRequest, content) }
fun DropdownMenuItem(text: () -> Unit, onClick: () -> Unit) { Pair(text, onClick) }
