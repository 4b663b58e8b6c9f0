// Not run on a device: type-checked, and run, against stubs of UIKit (Tests/ClientApp/UIKit).

#if canImport(UIKit) && !os(watchOS)
import HomePayload
import Polling
import UIKit

/// Draws items of any kind, for a start: a picture, and two lines of text over or below it, for each.
final class HearthPlainView: UIView {
  private var parts: [PlainPart] = []
  private let server: URL?

  init(server: URL?) {
    self.server = server
    super.init(frame: .zero)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  func show(_ items: [Item]) {
    while parts.count > items.count { parts.removeLast().removeFromSuperview() }
    while parts.count < items.count {
      let part = PlainPart(frame: .zero)
      addSubview(part)
      parts.append(part)
    }
    let isDark = traitCollection.userInterfaceStyle == .dark
    for (part, item) in zip(parts, items) {
      part.show(PlainContent(item, isDark: isDark), of: server)
      part.isStrong = item.accessibility?.traits.contains("selected") == true
    }
    setNeedsLayout()
  }

  /// Several items stand beside one another.
  override func layoutSubviews() {
    super.layoutSubviews()
    let width = bounds.width / CGFloat(max(1, parts.count))
    for (place, part) in parts.enumerated() {
      part.frame = CGRect(x: CGFloat(place) * width, y: 0, width: width, height: bounds.height)
    }
  }

  override func systemLayoutSizeFitting(
    _ targetSize: CGSize, withHorizontalFittingPriority horizontalFittingPriority: UILayoutPriority,
    verticalFittingPriority: UILayoutPriority
  ) -> CGSize {
    let isFree = horizontalFittingPriority != .required
    let sizes = parts.map { $0.size(in: isFree ? nil : targetSize.width / CGFloat(parts.count)) }
    return CGSize(width: sizes.map(\.width).reduce(0, +), height: sizes.map(\.height).max() ?? 0)
  }
}

/// One item.
private final class PlainPart: UIView {
  private static let margin: CGFloat = 8
  private let picture = HearthPictureView(frame: .zero)
  private let words = UILabel(frame: .zero)
  /// Whether it is the one that was chosen of several.
  var isStrong = false {
    didSet { words.font = .preferredFont(forTextStyle: isStrong ? .headline : .body) }
  }

  override init(frame: CGRect) {
    super.init(frame: frame)
    clipsToBounds = true
    picture.contentMode = .scaleAspectFill
    words.numberOfLines = 0
    words.font = .preferredFont(forTextStyle: .body)
    words.adjustsFontForContentSizeCategory = true
    addSubview(picture)
    addSubview(words)
  }

  @available(*, unavailable)
  required init?(coder: NSCoder) { nil }

  func show(_ content: PlainContent, of server: URL?) {
    words.text = [content.title, content.subtitle].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
    backgroundColor = content.color.flatMap { UIColor(hearth: $0) }
    picture.show(content.picture, of: server)
  }

  func size(in width: CGFloat?) -> CGSize {
    let room = CGSize(width: (width ?? 10_000) - 2 * Self.margin, height: 10_000)
    let size = words.sizeThatFits(room)
    return CGSize(width: width ?? size.width + 2 * Self.margin, height: size.height + 2 * Self.margin)
  }

  override func layoutSubviews() {
    super.layoutSubviews()
    picture.frame = bounds
    words.frame = bounds.insetBy(dx: Self.margin, dy: 0)
  }
}

/// Shows a picture by its address.
final class HearthPictureView: UIImageView {
  private var loading: Task<Void, Never>?
  /// Where what it shows is from; `nil` without a picture.
  private(set) var address: URL?

  deinit { loading?.cancel() }

  /// Shows a picture; none for `nil`.
  ///
  /// - Parameter server: What the address is relative to.
  func show(_ text: String?, of server: URL?) {
    let address = text.flatMap { URL(string: $0, relativeTo: server)?.absoluteURL }
    guard address != self.address else { return }
    loading?.cancel()
    self.address = address
    image = nil
    guard let address else { return }
    loading = Task { [weak self] in
      guard let image = await HearthPageView.picture(address), !Task.isCancelled else { return }
      self?.image = image
    }
  }
}
#endif
