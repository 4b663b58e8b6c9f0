// Not run on a device: type-checked, and run, against stubs of UIKit (Tests/ClientApp/UIKit).

#if canImport(UIKit) && !os(watchOS)
import HomePayload
import JSON
import Polling
import UIKit

/// A background as it is drawn.
struct HearthBackground: Equatable {
  var look: SectionLayout.Background?
  var isRightToLeft = false
  /// What the picture's address is relative to.
  var server: URL?
}

/// Where a background is, and what it looks like.
final class HearthBackgroundAttributes: UICollectionViewLayoutAttributes {
  /// Compared and copied on no thread in particular.
  let drawn = Locked(HearthBackground())

  override func copy(with zone: NSZone? = nil) -> Any {
    let copy = super.copy(with: zone)
    (copy as? HearthBackgroundAttributes)?.drawn.value = drawn.value
    return copy
  }

  override func isEqual(_ object: Any?) -> Bool {
    (object as? HearthBackgroundAttributes)?.drawn.value == drawn.value && super.isEqual(object)
  }
}

/// A value that one thread reads or writes at a time.
final class Locked<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var current: Value

  init(_ value: Value) { current = value }

  var value: Value {
    get { lock.withLock { current } }
    set { lock.withLock { current = newValue } }
  }
}

/// Draws a background: the shadow, the colour, the gradient over it, the picture over both, then the border.
///
/// Of corners with different radii all that are round have the largest: a layer has one radius.
final class HearthBackgroundView: UICollectionReusableView {
  /// What it draws.
  var drawn = HearthBackground() {
    didSet { if drawn != oldValue { draw() } }
  }

  private let gradient = GradientView(frame: .zero)
  private let picture = HearthPictureView(frame: .zero)
  private var image: SectionLayout.BackgroundPicture?

  /// Draws what a layout says.
  override func apply(_ layoutAttributes: UICollectionViewLayoutAttributes) {
    super.apply(layoutAttributes)
    guard let attributes = layoutAttributes as? HearthBackgroundAttributes else { return }
    drawn = attributes.drawn.value
  }

  #if !os(visionOS)
  /// Light and dark may have other colours.
  override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
    super.traitCollectionDidChange(previousTraitCollection)
    draw()
  }
  #endif

  /// Gradient and picture fill the view.
  override func layoutSubviews() {
    super.layoutSubviews()
    (gradient.frame, picture.frame) = (bounds, bounds)
    load()
  }

  private func draw() {
    if gradient.superview == nil {
      isUserInteractionEnabled = false
      addSubview(gradient)
      addSubview(picture)
    }
    let (look, isDark) = (drawn.look, traitCollection.userInterfaceStyle == .dark)
    func color(_ color: SectionLayout.Color?) -> UIColor? {
      color.flatMap { UIColor(hearth: $0.color(isDark: isDark)) }
    }
    backgroundColor = color(look?.color)
    let corners = look?.cornerRadius?.corners(drawn.isRightToLeft) ?? []
    layer.cornerRadius = CGFloat(corners.map(\.radius).max() ?? 0)
    layer.maskedCorners = CACornerMask(corners.filter { $0.radius > 0 }.map(\.mask))
    for inner in [gradient, picture] {
      inner.clipsToBounds = true
      (inner.layer.cornerRadius, inner.layer.maskedCorners) = (layer.cornerRadius, layer.maskedCorners)
    }
    layer.borderWidth = CGFloat(look?.border?.width.double ?? 0)
    layer.borderColor = color(look?.border?.color)?.cgColor
    draw(look?.shadow, color(look?.shadow?.color))
    (gradient.isHidden, gradient.isRightToLeft) = (look?.gradient == nil, drawn.isRightToLeft)
    (gradient.look, gradient.colors) = (look?.gradient, look?.gradient?.stops.map { color($0.color) ?? .clear } ?? [])
    gradient.setNeedsDisplay()
    image = look?.image?.picture(isDark: isDark)
    show()
  }

  private func draw(_ shadow: SectionLayout.Shadow?, _ color: UIColor?) {
    layer.shadowColor = color?.cgColor
    layer.shadowOpacity = shadow == nil ? 0 : 1
    // CSS blurs over twice what a layer calls its radius.
    layer.shadowRadius = CGFloat((shadow?.radius.double ?? 0) / 2)
    let x = (shadow?.x?.double ?? 0) * (drawn.isRightToLeft ? -1 : 1)
    layer.shadowOffset = CGSize(width: x, height: shadow?.y?.double ?? 0)
  }

  private func show() {
    picture.isHidden = image == nil
    picture.contentMode =
      switch image?.fit ?? .cover {
      case .cover: .scaleAspectFill
      case .contain: .scaleAspectFit
      case .stretch: .scaleToFill
      }
    load()
  }

  /// The size of the picture that the view is wide enough for; none before it is laid out, unless there is one size alone.
  private func load() {
    let isWaiting = bounds.width == 0 && image?.sources.isEmpty == false
    let scale = max(1, Double(traitCollection.displayScale))
    picture.show(isWaiting ? nil : image?.url(width: Double(bounds.width), scale: scale), of: drawn.server)
  }
}

/// Draws a gradient along the line that CSS gives it: a gradient layer's would lean with the layer's shape.
private final class GradientView: UIView {
  var look: SectionLayout.Gradient?
  var colors: [UIColor] = []
  var isRightToLeft = false

  override init(frame: CGRect) {
    super.init(frame: frame)
    isOpaque = false
    contentMode = .redraw
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  override func draw(_ rect: CGRect) {
    guard let look, let context = UIGraphicsGetCurrentContext() else { return }
    let places = look.stops.map { CGFloat($0.at.double) }
    guard
      let drawn = unsafe CGGradient(
        colorsSpace: CGColorSpaceCreateDeviceRGB(), colors: colors.map(\.cgColor) as CFArray, locations: places)
    else { return }
    let line = look.line(in: bounds.size, isRightToLeft: isRightToLeft)
    context.drawLinearGradient(
      drawn, start: line.start, end: line.end, options: [.drawsBeforeStartLocation, .drawsAfterEndLocation])
  }
}

extension SectionLayout.CornerRadius {
  /// The radii by the corners of a screen.
  fileprivate func corners(_ isRightToLeft: Bool) -> [(radius: Double, mask: CACornerMask)] {
    let left: [CACornerMask] = [.layerMinXMinYCorner, .layerMinXMaxYCorner]
    let right: [CACornerMask] = [.layerMaxXMinYCorner, .layerMaxXMaxYCorner]
    let (leading, trailing) = isRightToLeft ? (right, left) : (left, right)
    switch self {
    case .all(let radius): return (left + right).map { (radius.double, $0) }
    case .each(let each):
      return [
        (each.topLeading.double, leading[0]), (each.bottomLeading.double, leading[1]),
        (each.topTrailing.double, trailing[0]), (each.bottomTrailing.double, trailing[1]),
      ]
    }
  }
}

extension UIColor {
  /// A colour of `#RRGGBB` or `#RRGGBBAA`; `nil` for what is none.
  convenience init?(hearth text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", [6, 8].contains(digits.count), let value = UInt32(digits, radix: 16) else { return nil }
    let bits = digits.count == 6 ? value << 8 | 255 : value
    func part(_ shift: UInt32) -> CGFloat { CGFloat(bits >> shift & 255) / 255 }
    self.init(red: part(24), green: part(16), blue: part(8), alpha: part(0))
  }
}
#endif
