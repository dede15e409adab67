// The declarations of UIKit that PouchUI uses, as in the SDK of iOS 18, so that its adapters can be type-checked
// elsewhere. Nothing here does anything.

@_exported import Foundation

@MainActor
open class UIResponder: NSObject {
    nonisolated public override init() {}
    open var next: UIResponder? { nil }
}

@MainActor
open class UIView: UIResponder {
    open var window: UIWindow? { nil }
}

@MainActor
open class UIWindow: UIView {
    open var rootViewController: UIViewController?
}

@MainActor
open class UIViewController: UIResponder {
    open var viewIfLoaded: UIView? { nil }
    open var presentingViewController: UIViewController? { nil }
    open var presentationController: UIPresentationController? { nil }
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) {}
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {}
}

@MainActor
open class UINavigationController: UIViewController {
    open var viewControllers: [UIViewController] = []
    weak open var delegate: (any UINavigationControllerDelegate)?
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {}
}

@MainActor
public protocol UINavigationControllerDelegate: NSObjectProtocol {
    // Optional in UIKit, as all methods of the delegates here.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}

@MainActor
open class UIPresentationController: NSObject {
    weak open var delegate: (any UIAdaptivePresentationControllerDelegate)?
}

@MainActor
public protocol UIAdaptivePresentationControllerDelegate: NSObjectProtocol {
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
}

@MainActor
open class UITabBarController: UIViewController {
    open var selectedIndex = 0
    weak open var delegate: (any UITabBarControllerDelegate)?
    open func setViewControllers(_ viewControllers: [UIViewController]?, animated: Bool) {}
}

@MainActor
public protocol UITabBarControllerDelegate: NSObjectProtocol {
    func tabBarController(_ tabBarController: UITabBarController, didSelect viewController: UIViewController)
}

@MainActor
open class UISplitViewController: UIViewController {
    public enum Column: Int, Sendable {
        case primary = 0
        case supplementary = 1
        case secondary = 2
        case compact = 3
    }

    public enum DisplayMode: Int, Sendable {
        case automatic = 0
        case secondaryOnly = 1
        case oneBesideSecondary = 2
        case oneOverSecondary = 3
        case twoBesideSecondary = 4
        case twoOverSecondary = 5
        case twoDisplaceSecondary = 6
    }

    public enum Style: Int, Sendable {
        case unspecified = 0
        case doubleColumn = 1
        case tripleColumn = 2
    }

    public init(style: UISplitViewController.Style) {}
    weak open var delegate: (any UISplitViewControllerDelegate)?
    open var isCollapsed: Bool { false }
    open var displayMode: UISplitViewController.DisplayMode { .automatic }
    open func setViewController(_ vc: UIViewController?, for column: UISplitViewController.Column) {}
    open func show(_ column: UISplitViewController.Column) {}
}

@MainActor
public protocol UISplitViewControllerDelegate: NSObjectProtocol {
    func splitViewController(
        _ svc: UISplitViewController, willChangeTo displayMode: UISplitViewController.DisplayMode)
    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column
    func splitViewControllerDidCollapse(_ svc: UISplitViewController)
    func splitViewControllerDidExpand(_ svc: UISplitViewController)
}
