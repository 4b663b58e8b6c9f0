package android.text.style

class ForegroundColorSpan(val color: Int)
