package androidx.compose.foundation.lazy

import androidx.compose.foundation.layout.PaddingValues
import androidx.compose.ui.Modifier

class LazyListItemInfo(val key: Any, val offset: Int)
class LazyListLayoutInfo(val viewportStartOffset: Int, val visibleItemsInfo: List<LazyListItemInfo>)
class LazyListState { val layoutInfo = LazyListLayoutInfo(0, emptyList()) }
fun rememberLazyListState() = LazyListState()
class LazyListScope
class LazyItemScope
fun LazyColumn(
    modifier: Modifier, state: LazyListState, contentPadding: PaddingValues, content: LazyListScope.() -> Unit
) {
    modifier.also { Triple(state, contentPadding, content) }
}
fun <T> LazyListScope.items(items: List<T>, key: (T) -> Any, itemContent: LazyItemScope.(T) -> Unit) {
    items.also { Pair(key, itemContent) }
}
