package android.widget

import android.view.Context

class TextView(context: Context) { var text: String = "" }
