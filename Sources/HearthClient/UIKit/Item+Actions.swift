// Not run on a device: type-checked, and run, against stubs of UIKit (Tests/ClientApp/UIKit).

#if canImport(UIKit) && !os(watchOS)
public import HomePayload
public import UIKit

extension Item {
  /// What it offers, for assistive technologies; `nil` if that is nothing.
  @MainActor func accessibilityActions(_ perform: @escaping (Action) -> Void) -> [UIAccessibilityCustomAction]? {
    guard !actions.isEmpty else { return nil }
    return actions.map { offered in
      UIAccessibilityCustomAction(name: offered.title) { _ in
        perform(offered.action)
        return true
      }
    }
  }

  #if !os(tvOS)
  /// What it offers, as a menu.
  @MainActor func menu(_ perform: @escaping (Action) -> Void) -> UIMenu {
    let elements = actions.map { offered in
      UIAction(title: offered.title, attributes: offered.role == .destructive ? .destructive : []) { _ in
        perform(offered.action)
      }
    }
    return UIMenu(title: "", children: elements)
  }

  /// What a swipe uncovers at one side, for tables and lists of the app's own; `nil` if that is nothing.
  ///
  /// A swipe over the whole row does the first action, unless that takes something away.
  @MainActor public func swipeActions(
    at edge: ItemAction.Edge, _ perform: @escaping (Action) -> Void
  ) -> UISwipeActionsConfiguration? {
    let offered = actions(at: edge)
    guard let first = offered.first else { return nil }
    let swipes = offered.map { each in
      UIContextualAction(style: each.role == .destructive ? .destructive : .normal, title: each.title) { _, _, done in
        perform(each.action)
        done(true)
      }
    }
    let configuration = UISwipeActionsConfiguration(actions: swipes)
    configuration.performsFirstActionWithFullSwipe = first.role != .destructive
    return configuration
  }
  #endif
}
#endif
