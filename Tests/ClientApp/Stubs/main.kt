import android.view.ViewGroup
import java.io.File

/** Polls a server twice, then one that is not there, and starts again from the file; or polls a strange one so often. */
fun main(words: Array<String>) {
    if (words.size > 2) return strange(words[0], File(words[1]), words[2].toInt())
    val adapter = HomeAdapter()
    var sections = ""
    val client = HomeClient(words[0], File(words[1])) { page ->
        adapter.show(page)
        sections = page.sections.filter { section -> adapter.currentList.any { it.id.startsWith(section.id + "/") } }
            .joinToString(" ") { it.id }
    }
    client.start()
    println("again in ${client.poll() / 1000} s")
    Thread.sleep(1000)
    println("again in ${client.poll() / 1000} s")
    val holder = adapter.onCreateViewHolder(ViewGroup(), 0)
    val empty = adapter.currentList.indices.filter { adapter.onBindViewHolder(holder, it); holder.text.text == "" }
    println(if (empty.isEmpty()) "all rows have a text" else "rows without a text: $empty")
    val next = HomeClient("http://127.0.0.1:1", File(words[1])) { adapter.show(it) }
    next.start()
    println("again in ${next.poll() / 1000} s")
    println(sections)
}

/** Says after each poll which page is shown, and in how many seconds to ask again; the last one comes too early. */
private fun strange(server: String, file: File, count: Int) {
    var version: String? = null
    val client = HomeClient(server, file, seconds = 2) { version = it.version }
    for (poll in 0..count) {
        val pause = client.poll()
        println("$version ${pause / 1000}")
        Thread.sleep(minOf(pause, 1050))
    }
}
