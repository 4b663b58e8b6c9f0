package androidx.recyclerview.widget

import android.view.ViewGroup
import android.widget.TextView

class DiffUtil {
    abstract class ItemCallback<T> {
        abstract fun areItemsTheSame(old: T, new: T): Boolean
        abstract fun areContentsTheSame(old: T, new: T): Boolean
    }
}

class RecyclerView {
    abstract class ViewHolder(val itemView: TextView)
}

abstract class ListAdapter<T, VH : RecyclerView.ViewHolder>(private val callback: DiffUtil.ItemCallback<T>) {
    var currentList: List<T> = emptyList()
    abstract fun onCreateViewHolder(parent: ViewGroup, viewType: Int): VH
    abstract fun onBindViewHolder(holder: VH, position: Int)
    fun getItem(position: Int): T = currentList[position]
    fun submitList(list: List<T>) {
        val same = list.count { new -> currentList.any { callback.areItemsTheSame(it, new) && callback.areContentsTheSame(it, new) } }
        println("${list.size} rows, $same as before")
        currentList = list
    }
}
