// Runs the checks of a group, and says of each, a line of JSON, whether it holds: kotlin.test.mjs reads that.

import hearth.client.Json
import java.io.File

/** The folder Tests of the repository. */
lateinit var tests: File

fun textOf(path: String): String = File(tests, path).readText()

/** All cases of a folder's files: what somebody adds is run. */
fun casesIn(folder: String): List<Pair<String, Map<String, Any?>>> =
    File(tests, folder).listFiles { file: File -> file.name.endsWith(".json") }.orEmpty().sorted().flatMap { file ->
        Json.elements(Json.read(file.readText())).map { Pair(file.name, Json.members(it)) }
    }

fun check(name: String, body: () -> Unit) {
    val failure = try {
        body()
        null
    } catch (problem: Throwable) {
        problem.stackTrace.take(12).joinToString("\n", "$problem\n")
    }
    println(Json.write(mapOf("name" to name, "failure" to failure)))
}

fun <T> equal(found: T, expected: T, what: String = "") {
    if (found != expected) throw AssertionError("$what: found\n$found\nwhere is expected\n$expected")
}

inline fun <reified E : Throwable> fails(what: String, body: () -> Unit): E {
    try {
        body()
    } catch (problem: Throwable) {
        return problem as? E ?: throw problem
    }
    throw AssertionError("$what: nothing is thrown")
}

fun main(words: Array<String>) {
    tests = File(words[1])
    when (words[0]) {
        "app" -> checkApp(words[2], words.drop(3))
        "cases" -> checkCases()
        "client" -> checkClient()
        "follow" -> follow(words[2], File(words[3]), words[4].toInt())
        "frames" -> {
            checkFrames()
            checkStays()
            checkPictures()
        }
        "hostile" -> pollHostile(words[2], words[3].toLong())
        "protocol" -> {
            checkProtocol()
            checkChanges()
        }
    }
    System.exit(0)
}
