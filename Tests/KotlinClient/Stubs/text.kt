package android.text

interface Spanned { companion object { const val SPAN_EXCLUSIVE_EXCLUSIVE = 33 } }
class SpannableString(text: String) : CharSequence by text, Spanned {
    var spans = emptyList<Any>()
    private val whole = text
    fun setSpan(what: Any, start: Int, end: Int, flags: Int) { spans = spans + what.also { Triple(start, end, flags) } }
    override fun toString() = whole
}
