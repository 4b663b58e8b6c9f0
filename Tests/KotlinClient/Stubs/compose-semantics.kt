package androidx.compose.ui.semantics

import androidx.compose.ui.Modifier

class CustomAccessibilityAction(val label: String, val action: () -> Boolean)
interface SemanticsPropertyReceiver
var SemanticsPropertyReceiver.customActions: List<CustomAccessibilityAction>
    get() = emptyList()
    set(value) { value.also { this } }
fun Modifier.semantics(properties: SemanticsPropertyReceiver.() -> Unit): Modifier = also { properties }
