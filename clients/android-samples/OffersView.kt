// What an item offers beside its tap (`actions`), in Compose: a menu where it is pressed for long, and what assistive
// technologies offer. Copy it into an app.
// Not run on a device: type-checked against stubs of the platform (Tests/KotlinClient/Stubs).

package hearth.samples

import androidx.compose.foundation.ExperimentalFoundationApi
import androidx.compose.foundation.combinedClickable
import androidx.compose.foundation.layout.Box
import androidx.compose.material3.DropdownMenu
import androidx.compose.material3.DropdownMenuItem
import androidx.compose.material3.LocalContentColor
import androidx.compose.material3.MaterialTheme
import androidx.compose.material3.Text
import androidx.compose.runtime.Composable
import androidx.compose.runtime.mutableStateOf
import androidx.compose.runtime.remember
import androidx.compose.ui.Modifier
import androidx.compose.ui.semantics.CustomAccessibilityAction
import androidx.compose.ui.semantics.customActions
import androidx.compose.ui.semantics.semantics
import hearth.client.Item
import hearth.client.ItemAction

/**
 * What is tapped and offered of an item.
 * @param tap does the item's own `action`
 * @param perform does what was chosen of its `actions`
 * @param content draws it
 */
@ExperimentalFoundationApi
@Composable
fun OffersView(
    item: Item, tap: (Item) -> Unit, perform: (Item, ItemAction) -> Unit, content: @Composable() () -> Unit
) {
    val isOpen = remember { mutableStateOf(false) }
    val actions = item.actions
    val spoken = actions.map { each ->
        CustomAccessibilityAction(each.title) {
            perform(item, each)
            true
        }
    }
    val open: (() -> Unit)? = if (actions.isEmpty()) null else ({ isOpen.value = true })
    Box(Modifier.semantics { customActions = spoken }.combinedClickable(onLongClick = open, onClick = { tap(item) })) {
        content()
        DropdownMenu(isOpen.value, { isOpen.value = false }) {
            for (each in actions) {
                val color = if (each.isDestructive) MaterialTheme.colorScheme.error else LocalContentColor.current
                DropdownMenuItem({ Text(each.title, color = color) }, {
                    isOpen.value = false
                    perform(item, each)
                })
            }
        }
    }
}
