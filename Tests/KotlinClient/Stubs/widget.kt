package android.widget

import android.view.Context
import android.view.View

class TextView(context: Context) : View(context) { var text: String = "" }
