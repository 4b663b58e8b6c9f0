package androidx.compose.ui.platform

import androidx.compose.runtime.CompositionLocal
import androidx.compose.ui.unit.Density
import androidx.compose.ui.unit.LayoutDirection

val LocalDensity = CompositionLocal(Density(2f))
val LocalLayoutDirection = CompositionLocal(LayoutDirection.Ltr)
