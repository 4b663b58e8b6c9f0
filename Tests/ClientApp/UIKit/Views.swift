// swift-format-ignore-file
// The names of UIKit that the client and the app of docs/apps.md use, as Apple declares them, so that they are compiled, and
// run, where there is no UIKit.

@_exported import Foundation
// Foundation has it on Apple's systems.
@_exported import FoundationNetworking

@MainActor open class UIResponder: NSObject {}

public struct CACornerMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let layerMinXMinYCorner = Self(rawValue: 1), layerMaxXMinYCorner = Self(rawValue: 2)
  public static let layerMinXMaxYCorner = Self(rawValue: 4), layerMaxXMaxYCorner = Self(rawValue: 8)
}

public final class CGColor: Sendable {}
public typealias CFArray = [CGColor]
public final class CGColorSpace: Sendable {}
public func CGColorSpaceCreateDeviceRGB() -> CGColorSpace { CGColorSpace() }
public struct CGGradientDrawingOptions: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public static let drawsBeforeStartLocation = Self(rawValue: 1), drawsAfterEndLocation = Self(rawValue: 2)
}
public final class CGGradient {
  public init?(colorsSpace space: CGColorSpace?, colors: CFArray, locations: UnsafePointer<CGFloat>?) {}
}
public final class CGContext {
  public func drawLinearGradient(
    _ gradient: CGGradient, start startPoint: CGPoint, end endPoint: CGPoint, options: CGGradientDrawingOptions
  ) {}
}
@MainActor public func UIGraphicsGetCurrentContext() -> CGContext? { nil }

open class CALayer {
  open var cornerRadius: CGFloat = 0
  open var maskedCorners: CACornerMask = []
  open var borderWidth: CGFloat = 0
  open var borderColor: CGColor?
  open var shadowColor: CGColor?
  open var shadowOpacity: Float = 0
  open var shadowRadius: CGFloat = 0
  open var shadowOffset = CGSize.zero
}

open class UIColor: @unchecked Sendable {
  public let parts: [CGFloat]
  public required init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) { parts = [red, green, blue, alpha] }
  open class var clear: UIColor { UIColor(red: 0, green: 0, blue: 0, alpha: 0) }
  open var cgColor: CGColor { CGColor() }
}

open class UIImage: @unchecked Sendable {
  public init?(data: Data) {}
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
@MainActor open class UITraitCollection {
  open var userInterfaceStyle = UIUserInterfaceStyle.light
  open var displayScale: CGFloat = 2
}
@MainActor open class UIWindow: UIView {}

public struct UILayoutPriority: RawRepresentable, Equatable, Sendable {
  public let rawValue: Float
  public init(rawValue: Float) { self.rawValue = rawValue }
  public static let required = Self(rawValue: 1_000), fittingSizeLevel = Self(rawValue: 50)
}
@MainActor open class UIAccessibilityCustomAction: NSObject {
  public let name: String
  public let actionHandler: (UIAccessibilityCustomAction) -> Bool
  public init(name: String, actionHandler: @escaping (UIAccessibilityCustomAction) -> Bool) {
    (self.name, self.actionHandler) = (name, actionHandler)
  }
}
@MainActor open class UIMenuElement: NSObject {
  public struct Attributes: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let destructive = Self(rawValue: 2)
  }
}
open class UIAction: UIMenuElement {
  public let title: String
  public let attributes: Attributes
  public let handler: (UIAction) -> Void
  public init(title: String, attributes: Attributes = [], handler: @escaping (UIAction) -> Void) {
    (self.title, self.attributes, self.handler) = (title, attributes, handler)
  }
}
open class UIMenu: UIMenuElement {
  public let children: [UIMenuElement]
  public init(title: String, children: [UIMenuElement]) { self.children = children }
}
@MainActor open class UIContextMenuConfiguration: NSObject {
  public let actionProvider: (([UIMenuElement]) -> UIMenu?)?
  public init(
    identifier: (any NSCopying)?, previewProvider: (() -> UIViewController?)?,
    actionProvider: (([UIMenuElement]) -> UIMenu?)? = nil
  ) { self.actionProvider = actionProvider }
}
@MainActor open class UIContextualAction: NSObject {
  public enum Style: Int { case normal, destructive }
  public typealias Handler = (UIContextualAction, UIView, @escaping (Bool) -> Void) -> Void
  public let style: Style
  public let title: String?
  public let handler: Handler
  public init(style: Style, title: String?, handler: @escaping Handler) {
    (self.style, self.title, self.handler) = (style, title, handler)
  }
}
@MainActor open class UISwipeActionsConfiguration: NSObject {
  public let actions: [UIContextualAction]
  open var performsFirstActionWithFullSwipe = true
  public init(actions: [UIContextualAction]) { self.actions = actions }
}
public struct UIAccessibilityTraits: OptionSet, Sendable {
  public let rawValue: UInt64
  public init(rawValue: UInt64) { self.rawValue = rawValue }
  public static let button = Self(rawValue: 1), header = Self(rawValue: 2), selected = Self(rawValue: 4)
}

@MainActor open class UIView: UIResponder {
  public enum ContentMode: Int { case scaleToFill, scaleAspectFit, scaleAspectFill, redraw }
  open class var layoutFittingCompressedSize: CGSize { .zero }
  open var frame: CGRect {
    didSet { if frame.size != oldValue.size { bounds.size = frame.size } }
  }
  open var bounds = CGRect.zero
  open private(set) var subviews: [UIView] = []
  open private(set) weak var superview: UIView?
  open weak var window: UIWindow?
  open var layer = CALayer()
  open var backgroundColor: UIColor?
  open var clipsToBounds = false
  open var isOpaque = true
  open var isHidden = false
  open var isUserInteractionEnabled = true
  open var contentMode = ContentMode.scaleToFill
  open var traitCollection = UITraitCollection()
  open var isAccessibilityElement = false
  open var accessibilityLabel: String?
  open var accessibilityHint: String?
  open var accessibilityElementsHidden = false
  open var accessibilityTraits: UIAccessibilityTraits = []
  open var accessibilityCustomActions: [UIAccessibilityCustomAction]?
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
    bounds.size = frame.size
  }
  public required init?(coder: NSCoder) { nil }
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
  open func layoutSubviews() {}
  open func setNeedsLayout() {}
  open func setNeedsDisplay() {}
  open func draw(_ rect: CGRect) {}
  open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
  open func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize { targetSize }
  open func sizeThatFits(_ size: CGSize) -> CGSize { size }
  /// The next turn of the main loop comes, which lays out views and what is in them.
  open func layOut() {
    layoutSubviews()
    for view in subviews { view.layOut() }
  }
}

open class UIImageView: UIView { open var image: UIImage? }
@MainActor public struct UIFont {
  public enum TextStyle { case body, headline }
  public static func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont() }
}
open class UILabel: UIView {
  open var text: String?
  open var numberOfLines = 1
  open var font: UIFont! = UIFont()
  open var adjustsFontForContentSizeCategory = false
  /// A letter is eight points wide, and a line twenty high.
  open override func sizeThatFits(_ size: CGSize) -> CGSize {
    let lines = (text ?? "").split(separator: "\n").map { CGFloat($0.count) * 8 }
    let height = lines.map { ($0 / max(8, size.width)).rounded(.up) * 20 }.reduce(0, +)
    return CGSize(width: min(lines.max() ?? 0, size.width), height: height)
  }
}

@MainActor open class UIViewController: UIResponder {
  open var title: String?
  open var view: UIView! {
    get {
      if loaded == nil { loadView(); viewDidLoad() }
      return loaded
    }
    set { loaded = newValue }
  }
  private var loaded: UIView?
  public init(nibName: String?, bundle: Bundle?) {}
  public override convenience init() { self.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { nil }
  open func loadView() {}
  open func viewDidLoad() {}
}

@MainActor open class UIApplication {
  public static let shared = UIApplication()
  public func open(_ url: URL) {}
}
@MainActor open class UIScene {}
@MainActor public protocol UIWindowSceneDelegate {
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
}
