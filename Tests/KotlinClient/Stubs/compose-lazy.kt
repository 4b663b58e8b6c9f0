package androidx.compose.foundation.lazy

import androidx.compose.foundation.layout.PaddingValues
import androidx.compose.ui.Modifier

class LazyListItemInfo(val key: Any, val offset: Int)
class LazyListLayoutInfo(val viewportStartOffset: Int, val visibleItemsInfo: List<LazyListItemInfo>)
class LazyListState { val layoutInfo = LazyListLayoutInfo(0, emptyList()) }
fun rememberLazyListState() = LazyListState()
class LazyListScope {
    fun item(key: Any, content: LazyItemScope.() -> Unit) { key.also { content } }
    fun stickyHeader(key: Any, content: LazyItemScope.() -> Unit) { key.also { content } }
}
class LazyItemScope
fun LazyColumn(
    modifier: Modifier, state: LazyListState, contentPadding: PaddingValues, content: LazyListScope.() -> Unit
) {
    modifier.also { Triple(state, contentPadding, content) }
}
