public import Foundation
public import HomePayload
import JSON

extension SectionLayout.Gradient {
  /// Where the first and the last colour are drawn in a rectangle of a size, from its left and top edge: the line of CSS's
  /// `linear-gradient`, whose ends are at right angles with corners.
  public func line(in size: CGSize, isRightToLeft: Bool) -> (start: CGPoint, end: CGPoint) {
    let angle = (angle?.double ?? 180) * (isRightToLeft ? -1 : 1) * .pi / 180
    let (width, height) = (Double(size.width), Double(size.height))
    let (sine, cosine) = (sin(angle), cos(angle))
    let half = (abs(width * sine) + abs(height * cosine)) / 2
    let (x, y) = (half * sine, -half * cosine)
    return (CGPoint(x: width / 2 - x, y: height / 2 - y), CGPoint(x: width / 2 + x, y: height / 2 + y))
  }
}
