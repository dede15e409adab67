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

    // MARK: - Surfaces

    /// A navigation controller as a surface. A screen is a view controller, or has one that the app creates for it.
    ///
    ///     let surface = NavigationControllerSurface(UINavigationController())
    ///     window.rootViewController = surface.controller
    ///     let app = AppCoordinator(on: surface, screens: screens)
    ///
    /// The surface is the delegate of its controller, to detect back navigation.
    @MainActor
    public final class NavigationControllerSurface: NSObject, NavigationSurface {
        public let controller: UINavigationController
        public var userDidGoBack: (@MainActor (_ remaining: [any Screen]) -> Void)?
        private let makeController: (any Screen) -> UIViewController?
        private var shown: [(screen: any Screen, controller: UIViewController)] = []
        /// The surface below a presented one.
        private weak var presenter: NavigationControllerSurface?
        private var isPresented = false
        /// Called when another controller is on top.
        fileprivate var topDidChange: (() -> Void)?

        /// - Parameter makeController: returns the view controller of a screen, such as a hosting controller; called
        ///   each time the screen is put on the stack. A screen without one is not shown.
        public init(
            _ controller: UINavigationController,
            makeController: @escaping (any Screen) -> UIViewController? = { $0 as? UIViewController }
        ) {
            self.controller = controller
            self.makeController = makeController
            super.init()
            controller.delegate = self
        }

        public func show(_ screens: [any Screen]) {
            shown = screens.compactMap { screen in
                if let known = shown.first(where: { $0.screen === screen }) { return known }
                return makeController(screen).map { (screen, $0) }
            }
            let isVisible = controller.viewIfLoaded?.window != nil
            // The other column of a collapsed split view: UIKit puts its navigation controller on top.
            let column = controller.viewControllers.filter { $0 is UINavigationController }
            controller.setViewControllers(shown.map(\.controller) + column, animated: isVisible)
            presentOnce()
        }

        public func present() -> any NavigationSurface {
            let surface = NavigationControllerSurface(UINavigationController(), makeController: makeController)
            surface.presenter = self
            return surface
        }

        public func dismiss() {
            guard isPresented else { return }
            isPresented = false
            shown = []
            // Also dismisses the controllers over this one.
            controller.presentingViewController?.dismiss(animated: true)
        }

        private func presentOnce() {
            guard let presenter, !isPresented else { return }
            isPresented = true
            presenter.controller.present(controller, animated: true)
            controller.presentationController?.delegate = self
        }
    }

    extension NavigationControllerSurface: UINavigationControllerDelegate {
        public func navigationController(
            _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
        ) {
            let present = navigationController.viewControllers
            let remaining = shown.filter { entry in present.contains { $0 === entry.controller } }
            // Otherwise a coordinator made the change, or the back gesture was cancelled.
            if remaining.count < shown.count {
                shown = remaining
                userDidGoBack?(remaining.map(\.screen))
            }
            topDidChange?()
        }
    }

    extension NavigationControllerSurface: UIAdaptivePresentationControllerDelegate {
        public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {
            guard isPresented else { return }
            isPresented = false
            shown = []
            userDidGoBack?([])
        }
    }

    // MARK: - Several stacks

    /// A tab bar controller, with a navigation controller for each tab.
    ///
    ///     let tabs = TabBarSurface(UITabBarController(), tabs: [shop, cart, account])
    ///     let group = NavigationGroup(on: tabs)
    @MainActor
    public final class TabBarSurface: NSObject, GroupSurface, UITabBarControllerDelegate {
        public let controller: UITabBarController
        public let surfaces: [any NavigationSurface]
        public var visibleDidChange: (@MainActor () -> Void)?

        public init(_ controller: UITabBarController, tabs: [NavigationControllerSurface]) {
            self.controller = controller
            surfaces = tabs
            super.init()
            controller.setViewControllers(tabs.map(\.controller), animated: false)
            controller.delegate = self
        }

        public var visible: Set<Int> { [controller.selectedIndex] }

        public func choose(_ index: Int) {
            controller.selectedIndex = index
        }

        public func tabBarController(
            _ tabBarController: UITabBarController, didSelect viewController: UIViewController
        ) {
            visibleDidChange?()
        }
    }

    /// A split view controller with two columns. If there is room for only one, the secondary column covers the primary
    /// one while it has screens, until the user goes back.
    ///
    ///     let split = SplitViewSurface(UISplitViewController(style: .doubleColumn), primary: list, secondary: details)
    ///     let group = NavigationGroup(on: split)
    @MainActor
    public final class SplitViewSurface: NSObject, GroupSurface, UISplitViewControllerDelegate {
        private static let columns: [UISplitViewController.Column] = [.primary, .secondary]

        public let controller: UISplitViewController
        public var visibleDidChange: (@MainActor () -> Void)?
        private let primary: NavigationControllerSurface
        private let secondary: NavigationControllerSurface
        /// The next display mode, or the current one.
        private var displayMode: UISplitViewController.DisplayMode?

        /// - Parameter controller: a controller of the style `.doubleColumn`.
        public init(
            _ controller: UISplitViewController, primary: NavigationControllerSurface,
            secondary: NavigationControllerSurface
        ) {
            self.controller = controller
            self.primary = primary
            self.secondary = secondary
            super.init()
            controller.setViewController(primary.controller, for: .primary)
            controller.setViewController(secondary.controller, for: .secondary)
            controller.delegate = self
            primary.topDidChange = { [weak self] in self?.visibleDidChange?() }
        }

        public var surfaces: [any NavigationSurface] { [primary, secondary] }

        public var visible: Set<Int> {
            guard controller.isCollapsed else {
                return (displayMode ?? controller.displayMode) == .secondaryOnly ? [1] : [0, 1]
            }
            // UIKit pushes the secondary column onto the primary one.
            let isCovered = primary.controller.viewControllers.contains { $0 === secondary.controller }
            return isCovered ? [1] : [0]
        }

        public func choose(_ index: Int) {
            controller.show(Self.columns[index])
        }

        public func splitViewController(
            _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode
        ) {
            self.displayMode = displayMode
            visibleDidChange?()
        }

        public func splitViewController(
            _ svc: UISplitViewController,
            topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
        ) -> UISplitViewController.Column {
            secondary.controller.viewControllers.isEmpty ? .primary : .secondary
        }

        public func splitViewControllerDidCollapse(_ svc: UISplitViewController) {
            visibleDidChange?()
        }

        public func splitViewControllerDidExpand(_ svc: UISplitViewController) {
            displayMode = nil
            visibleDidChange?()
        }
    }
#endif
