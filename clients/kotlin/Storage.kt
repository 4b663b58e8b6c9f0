package hearth.client

import java.io.File
import java.io.FileOutputStream
import java.io.IOException

/** Keeps one text between starts of the app. Called on threads of the client. */
interface PageStorage {
    /** What was saved last; `null` for nothing. */
    fun load(): String?
    /** Keeps a text in the place of the one before, whole or not at all; an empty one is nothing. */
    fun save(text: String)
}

/** Keeps the page in a file, such as `File(context.filesDir, "home.page")`, in the place of another one or not at all. */
class FileStorage(private val file: File) : PageStorage {
    override fun load(): String? {
        if (!file.exists()) return null
        if (file.length() > bytesMax) throw IOException("it has more than $bytesMax bytes")
        return file.readText()
    }

    override fun save(text: String) {
        val bytes = text.toByteArray()
        if (bytes.size > bytesMax) throw IOException("it has more than $bytesMax bytes")
        val next = File(file.path + ".new")
        FileOutputStream(next).use { out ->
            out.write(bytes)
            out.fd.sync()
        }
        if (!next.renameTo(file)) throw IOException("$next cannot be renamed")
    }

    private companion object { const val bytesMax = 32_000_000 }
}

/**
 * What is kept before a page's text, in a line of its own.
 * @property url where it was asked for, with what the client told of itself
 * @property since the date when the server last said that it is the page to show
 */
internal class Head(val url: String, val revision: String?, val since: Double, val version: String) {
    /** Where the page is, whatever the client told of itself. */
    val place: String get() = url.substringBefore('?')
}

/** A line with the form and a hash of the next one, a line about the page, and the page's text. */
internal class Record(val head: Head, val text: String) {
    companion object {
        /** Changed whenever a record means something else: another form is as good as none. */
        private const val form = "hearth-page 2 "

        private fun sealOf(line: String) = form + hashOf(line)

        fun write(head: Head, text: String): String {
            val line = Json.write(mapOf(
                "url" to head.url, "revision" to head.revision, "since" to head.since.toLong(), "version" to head.version))
            return "${sealOf(line)}\n$line\n$text"
        }

        /** `null` for what is cut, damaged or no record at all; a line of signatures may stand before it. */
        fun read(record: String): Record? {
            val own = if (record.startsWith(Signatures.mark)) record.substringAfter('\n', "") else record
            val parts = own.split("\n", limit = 3)
            if (parts.size < 3 || parts[0] != sealOf(parts[1])) return null
            val head = Json.members(Json.read(parts[1]))
            val since = (head["since"] as? Number)?.toDouble() ?: return null
            return Record(Head(head["url"] as String, head["revision"] as? String, since, head["version"] as String), parts[2])
        }
    }
}
