// The few names of Compose that PageView uses, so that its types are checked.

package androidx.compose.runtime

@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE)
annotation class Composable

interface MutableState<T> { var value: T }
class ProvidedValue<T>(val value: T)
class CompositionLocal<T>(val current: T) { infix fun provides(value: T): ProvidedValue<T> = ProvidedValue(value) }
class DisposableEffectResult
class DisposableEffectScope { fun onDispose(end: () -> Unit): DisposableEffectResult = DisposableEffectResult().also { end } }

fun <T> mutableStateOf(value: T): MutableState<T> = object : MutableState<T> { override var value = value }
fun <T> remember(vararg keys: Any?, calculation: () -> T): T = calculation().also { keys.size }
fun DisposableEffect(key: Any?, effect: DisposableEffectScope.() -> DisposableEffectResult) { key.also { effect } }
fun LaunchedEffect(key: Any?, block: suspend Any.() -> Unit) { key.also { block } }
fun CompositionLocalProvider(vararg values: ProvidedValue<*>, content: () -> Unit) { values.also { content } }
