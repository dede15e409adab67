/// What a navigation surface shows at a time.
///
/// It gets its data by properties, which may be set before it is shown and at any time after, and it tells what somebody
/// wants by `send`. A screen that contains others sets their `coordinatingResponder` to itself.
@MainActor
public protocol Screen: Responder {
    /// The coordinator that shows the screen, or the screen that contains it. To be held weakly.
    var coordinatingResponder: (any Responder)? { get set }
}
