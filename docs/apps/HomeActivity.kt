import android.app.Activity
import android.os.Bundle
import android.view.View
import android.view.ViewGroup
import android.widget.TextView
import androidx.recyclerview.widget.RecyclerView
import hearth.client.*
import hearth.samples.Drawing
import hearth.samples.PageAdapter
import java.io.File

class HomeActivity(private val server: String = "https://home.example.com") : Activity(), Drawing {
    private val app = mapOf("platform" to "android", "appVersion" to "6.0.0", "locale" to "en")
    private val client by lazy { PageClient(PageSettings(server, "home", app, wait = 50), FileStorage(File(filesDir, "home.page"))) }
    private val home by lazy { PageAdapter(RecyclerView(this), this) }

    override fun onCreate(state: Bundle?) { super.onCreate(state); setContentView(home.list) }
    override fun onStart() { super.onStart(); client.start { state -> runOnUiThread { state.page?.let { home.show(it) } } } }
    override fun onStop() { client.stop(); super.onStop() }

    override fun create(parent: ViewGroup, kind: String): View = TextView(parent.context)
    override fun bind(view: View, items: List<Item>) { (view as TextView).text = items.joinToString("\n") { it.text } }
    override fun perform(item: Item, chosen: ItemAction) = println("${item.id}: ${chosen.action}")
}
