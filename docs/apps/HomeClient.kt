import androidx.recyclerview.widget.DiffUtil
import androidx.recyclerview.widget.ListAdapter
import androidx.recyclerview.widget.RecyclerView
import android.view.ViewGroup
import android.widget.TextView
import hearth.kinds.Page
import hearth.kinds.PayloadException
import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.security.MessageDigest
import java.util.Timer
import kotlin.concurrent.schedule
import kotlin.random.Random

/** Polls the home on a thread of its own, and keeps the last page in a file. */
class HomeClient(private val server: String, private val file: File, private val seconds: Int = 20, private val show: (Page) -> Unit) {
    private class Answer(val status: Int, val text: String, val edition: String, val pause: Long?)
    private val timer = Timer(true)
    private var page: Page? = null
    private var edition = ""
    private var failures = 0
    private var floor = now()

    private fun now() = System.nanoTime() / 1_000_000

    /** Shows what was kept: its edition, a hash of that and the page, and the page. */
    fun start() {
        val (edition, seal, text) = (if (file.exists()) file.readText() else "").split("\n", limit = 3).takeIf { it.size == 3 } ?: return
        if (seal == hash(edition + text)) read(text, edition)
    }

    /** Asks once, but not yet when it was asked a moment ago; says after how many milliseconds to ask again. */
    fun poll(wait: Int = 0): Long {
        if (now() < floor) return floor - now()
        floor = now() + 1000
        val answer = try {
            // An older edition is from a cache on the way, or from a server that lags behind.
            ask(wait).let { if (isOlder(it)) ask(0, pastCaches = true) else it }
        } catch (problem: IOException) {
            null  // No network, or half an answer: the page stays.
        }
        if (answer?.status == 200 && !isOlder(answer)) read(answer.text, answer.edition, keep = true)
        failures = if (answer?.status == 200 || answer?.status == 304) 0 else failures + 1
        val backoff = minOf(300_000L, 500L shl minOf(failures, 20))
        val pause = answer?.pause?.let { it * 1000 + Random.nextLong(maxOf(1000, it * 100)) } ?: backoff / 2 + Random.nextLong(backoff / 2)
        if (failures > 0 && answer?.pause != null) floor = maxOf(floor, now() + pause)
        return maxOf(pause, floor - now())
    }

    private fun ask(wait: Int, pastCaches: Boolean = false): Answer {
        val connection = URL("$server/v1/home?appVersion=6.0.0&locale=en&platform=android").openConnection() as HttpURLConnection
        // However slowly it comes, an answer has so much time; readTimeout is only for each byte.
        val end = timer.schedule((seconds + wait) * 1000L) { connection.disconnect() }
        try {
            connection.connectTimeout = seconds * 1000
            connection.readTimeout = (seconds + wait) * 1000
            if (pastCaches) connection.setRequestProperty("Cache-Control", "no-cache")
            val held = page?.version?.takeUnless { pastCaches }
            if (held != null) connection.setRequestProperty("If-None-Match", "W/\"$held\"")
            if (held != null && wait > 0) connection.setRequestProperty("Prefer", "wait=$wait")
            val status = connection.responseCode
            val text = if (status == 200) connection.inputStream.bufferedReader().readText() else ""
            val maxAge = Regex("(?:^|[ ,])max-age=(\\d+)").find(connection.getHeaderField("Cache-Control") ?: "")?.groupValues?.get(1)
            val age = maxOf(1, seconds(maxAge ?: "30") - seconds(connection.getHeaderField("Age") ?: "0"))
            val pause = if (status == 200 || status == 304) age else connection.getHeaderField("Retry-After")?.let { seconds(it) }
            return Answer(status, text, connection.getHeaderField("Hearth-Revision") ?: "", pause)
        } finally {
            end.cancel()
            connection.disconnect()
        }
    }

    /** At most a day, whatever is written there; Retry-After may also be a date, which counts as a minute. */
    private fun seconds(text: String) = if (!text.matches(Regex("\\d+"))) 60 else minOf(text.toLongOrNull() ?: 86_400, 86_400)

    private fun order(edition: String) = edition.takeIf { it.matches(Regex("\\d+\\.\\d+")) }?.split(".")?.joinToString("") { it.padStart(20, '0') }

    /** Whether an answer is of an older edition than the page, or another page of none. */
    private fun isOlder(answer: Answer) = (answer.status == 200 || answer.status == 304 && answer.edition != "") &&
        (order(edition) ?: "") > (order(answer.edition) ?: "")

    private fun hash(text: String) =
        MessageDigest.getInstance("SHA-256").digest(text.toByteArray()).joinToString("") { "%02x".format(it) }.take(16)

    /** Takes a page when it agrees with its hash; anything else is not the server's. */
    private fun read(text: String, edition: String, keep: Boolean = false) {
        val version = Regex("^\\{\"page\":\"home\",\"version\":\"([0-9a-f]{16})\"").find(text)?.groupValues?.get(1) ?: return
        if (hash(text.replaceFirst(",\"version\":\"$version\"", "")) != version) return
        val next = try { Page.parse(text) } catch (problem: PayloadException) { return }
        // First kept, then shown: a start after this shows nothing older.
        if (keep) File(file.path + ".new").apply { writeText("$edition\n${hash(edition + text)}\n$text") }.renameTo(file)
        page = next
        this.edition = edition
        show(next)
    }
}

/** A row of the list: where it is, and its text. */
data class Row(val id: String, val text: String)

class Rows : DiffUtil.ItemCallback<Row>() {
    override fun areItemsTheSame(old: Row, new: Row) = old.id == new.id
    override fun areContentsTheSame(old: Row, new: Row) = old == new
}

class RowHolder(val text: TextView) : RecyclerView.ViewHolder(text)

class HomeAdapter : ListAdapter<Row, RowHolder>(Rows()) {
    override fun onCreateViewHolder(parent: ViewGroup, viewType: Int) = RowHolder(TextView(parent.context))

    override fun onBindViewHolder(holder: RowHolder, position: Int) {
        holder.text.text = getItem(position).text
    }

    /** A row for each item, and for what stands above, below and in the slots. An app draws each kind in its own way. */
    fun show(page: Page) = submitList(page.sections.flatMap { section ->
        val json = section.toJson()
        val slots = (json["slots"] as? Map<*, *>)?.values ?: emptyList<Any?>()
        val items = listOf(json["header"]) + (json["items"] as? List<*> ?: emptyList<Any?>()) + slots + json["footer"]
        items.filterIsInstance<Map<*, *>>().map { Row("${section.id}/${it["id"]}", text(it["content"])) }
    })

    private fun text(content: Any?) = (content as? Map<*, *>)?.let { it["title"] ?: it["text"] } as? String ?: ""
}
