#if canImport(UIKit)
    import ObjectiveC
    import PouchCoordination
    import UIKit

    /// Views and view controllers are links of the chain: messages follow `next` from a view up to the view controller
    /// that is a screen, and from there go to its coordinator.
    ///
    ///     final class ProductViewController: UIViewController, ProductScreen { ... }
    ///
    ///     final class BuyButton: UIButton {
    ///         func wasTapped() { Task { try await buyNow(product) } }
    ///     }
    extension UIResponder: Responder {
        /// The coordinator of a screen, or another responder that was set; otherwise UIKit's next responder. Not
        /// retained.
        public var coordinatingResponder: (any Responder)? {
            get {
                let link = objc_getAssociatedObject(self, &linkKey) as? ResponderLink
                if let responder = link?.responder { return responder }
                return next
            }
            set {
                objc_setAssociatedObject(
                    self, &linkKey, newValue.map(ResponderLink.init), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
            }
        }
    }

    @MainActor private var linkKey: UInt8 = 0

    /// A responder that is not retained.
    @MainActor
    private final class ResponderLink {
        weak var responder: (any Responder)?

        init(_ responder: any Responder) {
            self.responder = responder
        }
    }
#endif
