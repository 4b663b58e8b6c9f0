// What stands around the Swift of docs/client.md in an app, so that scripts/test-docs can have it type-checked.
// imports

let deviceID = ""
@MainActor var page: Page?
@MainActor let collectionView = Collection()
func log(_ text: String) {}

/// As UICollectionView is called.
@MainActor final class Collection {
  func reloadData() {}
  func performBatchUpdates(_ body: () -> Void) { body() }
  func deleteSections(_ sections: IndexSet) {}
  func insertSections(_ sections: IndexSet) {}
  func reloadSections(_ sections: IndexSet) {}
  func moveSection(_ from: Int, toSection: Int) {}
  func deleteItems(at paths: [IndexPath]) {}
  func insertItems(at paths: [IndexPath]) {}
  func moveItem(at from: IndexPath, to: IndexPath) {}
  func reconfigureItems(at paths: [IndexPath]) {}
  let collectionViewLayout = CollectionLayout()
}

@MainActor final class CollectionLayout {
  func invalidateLayout() {}
}

@MainActor func follow() async {
  // following
}

@MainActor
// showing
