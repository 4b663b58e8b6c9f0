package android.content.res

class Configuration {
    companion object {
        const val UI_MODE_NIGHT_MASK = 48
        const val UI_MODE_NIGHT_YES = 32
    }
    val uiMode = 0
}
