package androidx.compose.foundation

import androidx.compose.ui.Modifier

class ScrollState(val value: Int) {
    val isScrollInProgress = false
    suspend fun animateScrollTo(value: Int) { value.also { } }
}
annotation class ExperimentalFoundationApi
fun isSystemInDarkTheme() = false
fun rememberScrollState(initial: Int) = ScrollState(initial)
fun Modifier.clickable(onClick: () -> Unit): Modifier = also { onClick }
fun Modifier.combinedClickable(onLongClick: (() -> Unit)?, onClick: () -> Unit): Modifier = also { Pair(onLongClick, onClick) }
fun Modifier.horizontalScroll(state: ScrollState): Modifier = also { state }
