import android.view.ViewGroup
import java.io.File

/** Polls a server twice, then one that is not there, and starts again from the file. */
fun main(words: Array<String>) {
    val adapter = HomeAdapter()
    val client = HomeClient(words[0], File(words[1])) { adapter.show(it) }
    client.start()
    for (poll in 0..1) println("again in ${client.poll() / 1000} s")
    val holder = adapter.onCreateViewHolder(ViewGroup(), 0)
    adapter.onBindViewHolder(holder, 0)
    println(holder.text.text)
    val next = HomeClient("http://127.0.0.1:1", File(words[1])) { adapter.show(it) }
    next.start()
    println("again in ${next.poll() / 1000} s")
}
