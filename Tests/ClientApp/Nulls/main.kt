import hearth.kinds.JsonText
import hearth.kinds.Page
import java.io.File

/** Reads a page with its types, and says whether it writes what it read. */
fun main(words: Array<String>) {
    val text = File(words[0]).readText()
    val page = Page.parse(text)
    println(page.dropped)
    val written = page.toJson()
    val isSame = written == JsonText.parse(text) && page == Page.read(written)
    println(if (isSame) "as it came" else JsonText.write(written))
}
